// Several data sets in one page: one is shown at a time, with the threshold of the one before; a table reads it on all.
import { count, rate, short } from "./format";
import { limitsAt, type Limits } from "./intervals";
import { confusion, indexAt, rates, skewOf, type Rates } from "./measures";
import type { Store } from "./store";

/** A data set that has been mounted. */
export interface Mounted {
  shell: HTMLElement;
  store: Store;
  name: string;
  /** Draw what the new size of the shell asks for. */
  fit: () => void;
}

const all: Mounted[] = [];
const METRICS: Array<keyof Rates> = ["recall", "precision", "fpr", "alertRate"];

export function join(mounted: Mounted): void {
  all.push(mounted);
  mounted.shell.querySelectorAll<HTMLElement>("[data-go-set]").forEach((button) => {
    button.addEventListener("click", () => go(mounted, Number(button.dataset.goSet)));
  });
}

/** Show only the first of several; before, all were there, for readers without scripts. */
export function begin(): void {
  if (all.length < 2) return;
  const chosen = Number(new URLSearchParams(window.location.hash.slice(1)).get("set") ?? 0);
  all.forEach(({ shell }, i) => (shell.hidden = i !== (all[chosen] ? chosen : 0)));
  all.forEach(({ fit }) => fit());
}

export const placeOf = (store: Store): number => Math.max(0, all.findIndex((one) => one.store === store));

function go(from: Mounted, to: number): void {
  const next = all[to];
  if (!next || next === from) return;
  next.shell.dataset.theme = from.shell.dataset.theme;
  from.shell.hidden = true;
  next.shell.hidden = false;
  next.store.follow(from.store);
  next.fit();
  next.shell.querySelector<HTMLElement>(`[data-go-set="${to}"]`)?.focus();
}

/** The model's numbers at its threshold on every data set. */
export function tellSets(shell: HTMLElement, store: Store): void {
  const body = shell.querySelector<HTMLElement>("[data-table='sets']");
  if (!body) return;
  const rows = all.map((one) => {
    const model = one.store.report.models.find(({ name }) => name === store.model.name);
    const row = document.createElement("tr");
    const head = Object.assign(document.createElement("th"), { scope: "row", textContent: short(one.name, 40) });
    row.append(head);
    row.classList.toggle("main", one.store === store);
    if (!model) {
      row.append(Object.assign(document.createElement("td"), { colSpan: 6, className: "why", textContent: "has no model of this name" }));
      return row;
    }
    const index = indexAt(model, store.threshold);
    const values = rates(confusion(model, index), skewOf(model, store.prevalence));
    const limits = index === 0 ? null : limitsAt(model, index, store.prevalence, store.report.level);
    for (const size of [model.nPos, model.nNeg]) row.append(cell(count(size)));
    for (const name of METRICS) row.append(cell(rate(values[name]), limits?.[name]));
    return row;
  });
  body.replaceChildren(...rows);
}

function cell(text: string, limits?: Limits): HTMLTableCellElement {
  const out = document.createElement("td");
  out.className = "num";
  out.textContent = text;
  if (limits) out.append(Object.assign(document.createElement("span"), { className: "interval", textContent: `${rate(limits[0])} to ${rate(limits[1])}` }));
  return out;
}
