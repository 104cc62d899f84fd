// The ranked table of models: sort it, hide curves, keep two beside each other, and read all at the crosshair.
import type { Interval } from "./data";
import { rate, short } from "./format";
import { key } from "./lines";
import { precisionAt, recallAt, skewOf } from "./measures";
import type { Outlets } from "./outlets";
import type { Store } from "./store";

type Column = "score" | "roc_auc" | "interpolated" | "cross";

let serial = 0;

export class ModelTable {
  /** Models of one data set are one group of buttons. */
  private group = `thr-model-${++serial}`;
  private order: Column;
  private body: HTMLElement;
  /** Columns with intervals: the metric that ranks the models too, where it is none of the areas. */
  private shown: Column[];

  constructor(
    private outlets: Outlets,
    private store: Store,
  ) {
    this.order = store.report.models.some((model) => model.score !== null) ? "score" : "roc_auc";
    const { root } = outlets;
    this.body = root.querySelector("[data-table='models']") as HTMLElement;
    this.shown = [...(root.querySelector("[data-sort='score']") ? (["score"] as const) : []), "roc_auc", "interpolated"];
    this.build();
    root.querySelectorAll<HTMLElement>("[data-sort]").forEach((button) => {
      button.addEventListener("click", () => {
        this.order = button.dataset.sort as Column;
        this.render();
      });
    });
    outlets.put("level", `${Number((store.report.level * 100).toPrecision(4))}%`);
  }

  /** What a model has in a column, at the current balance and crosshair. */
  private value(i: number, column: Column): Interval {
    const { store } = this;
    const model = store.report.models[i];
    if (column === "score") return [model.score ?? model.areas.roc_auc[0], null, null];
    if (column !== "cross") return store.area(i, column);
    const cross = store.cross;
    if (!cross) return [NaN, null, null];
    return [cross.space === "roc" ? recallAt(model, cross.x) : precisionAt(model, cross.x, skewOf(model, store.prevalence)), null, null];
  }

  private build(): void {
    const { store } = this;
    const rows = store.report.ranked.map((i) => {
      const model = store.report.models[i];
      const row = document.createElement("tr");
      row.dataset.model = String(i);
      const name = document.createElement("th");
      name.scope = "row";
      const label = document.createElement("label");
      label.className = "who";
      const radio = input("radio", `Show ${model.name}`);
      radio.name = this.group;
      radio.value = String(i);
      radio.dataset.modelChoice = "";
      radio.addEventListener("change", () => store.choose(i));
      label.append(radio, key(i), Object.assign(document.createElement("bdi"), { textContent: model.name.slice(0, 300), title: model.name.slice(0, 300) }));
      const shown = input("checkbox", `Draw ${model.name}`);
      shown.dataset.do = "draw";
      shown.checked = true;
      shown.addEventListener("change", () => store.hide(i, !shown.checked));
      const beside = input("checkbox", `Compare ${model.name}`);
      beside.dataset.do = "compare";
      beside.addEventListener("change", () => store.compare(i, beside.checked));
      // Under the name, where the intervals of the areas leave a line free.
      const boxes = document.createElement("span");
      boxes.className = "tick-box several";
      for (const [box, word] of [[shown, "draw"], [beside, "compare"]] as const) {
        const around = document.createElement("label");
        around.append(box, word);
        boxes.append(around);
      }
      name.append(label, boxes);
      row.append(name);
      for (const column of [...this.shown, "cross"]) {
        const cell = document.createElement("td");
        cell.className = "num";
        cell.dataset.column = column;
        row.append(cell);
      }
      row.addEventListener("pointerenter", () => store.aim(store.cross, i === store.active ? null : i));
      row.addEventListener("pointerleave", () => store.aim(store.cross, null));
      return row;
    });
    this.body.replaceChildren(...rows);
  }

  /** Cut names in their middle to what has room, once: a name cut by the style too would lose its end. */
  fit(): void {
    const names = [...this.body.querySelectorAll<HTMLElement>("bdi")];
    const widths = names.map((node) => (node.closest("th") as HTMLElement).clientWidth - 50);
    let fits = widths.map((width) => Math.max(8, Math.floor(width / 7.3)));
    for (let again = 0; again < 3; again++) {
      names.forEach((node, k) => {
        const text = short(node.title, fits[k]).slice(1, -1);
        if (node.textContent !== text) node.textContent = text;
      });
      const over = names.map((node) => node.clientWidth / node.scrollWidth);
      if (over.every((part) => !(part < 1))) return;
      fits = fits.map((most, k) => (over[k] < 1 ? Math.max(6, Math.min(most, names[k].textContent?.length ?? most) * over[k] - 0.5) | 0 : most));
    }
  }

  render(): void {
    const { store } = this;
    const column = this.order === "cross" && !store.cross ? "roc_auc" : this.order;
    const rank = [...store.report.ranked].sort((a, b) => this.value(b, column)[0] - this.value(a, column)[0]);
    rank.forEach((i, place) => {
      const row = this.body.querySelector<HTMLElement>(`[data-model="${i}"]`) as HTMLElement;
      if (this.body.children[place] !== row) this.body.insertBefore(row, this.body.children[place]);
      row.classList.toggle("active", i === store.active);
      row.classList.toggle("near", i === store.near);
      row.classList.toggle("off", store.hidden.has(i) && i !== store.active);
      (row.querySelector("[data-model-choice]") as HTMLInputElement).checked = i === store.active;
      (row.querySelector("[data-do='draw']") as HTMLInputElement).checked = !store.hidden.has(i);
      (row.querySelector("[data-do='compare']") as HTMLInputElement).checked = store.compared.includes(i);
      for (const name of this.shown) this.fill(row, name, name === "score" ? store.report.models[i].metric : this.value(i, name));
    });
    this.outlets.root.querySelectorAll<HTMLElement>("[data-sort]").forEach((button) => {
      button.closest("th")?.setAttribute("aria-sort", button.dataset.sort === column ? "descending" : "none");
    });
    this.readCross();
    this.put("pr-interval", store.area(store.active, "interpolated")[1] === null ? `No confidence interval of PR AUC at this prevalence. Make the report with prevalence=${store.prevalence ?? "…"}.` : "");
    this.put("pair", this.pair());
  }

  /** The column of the crosshair, which changes with every move of the pointer. */
  readCross(): void {
    const { store } = this;
    const { cross } = store;
    this.body.closest("table")?.classList.toggle("uncrossed", !cross);
    this.put("cross-word", cross?.space === "pr" ? "precision" : "recall");
    this.put("cross", !cross ? "" : cross.space === "roc" ? `recall at FPR ${rate(cross.x)}` : `precision at recall ${rate(cross.x)}`);
    for (const row of this.body.children as unknown as HTMLElement[]) {
      const i = Number(row.dataset.model);
      row.classList.toggle("near", i === store.near);
      this.fill(row, "cross", cross ? this.value(i, "cross") : null);
    }
  }

  private fill(row: HTMLElement, column: string, value: Interval | null): void {
    const cell = row.querySelector(`[data-column="${column}"]`) as HTMLElement;
    const text = value ? signed(value[0]) : "";
    const around = value && value[1] !== null && value[2] !== null ? `${signed(value[1])}–${signed(value[2])}` : "";
    if (cell.dataset.text === text + around) return;
    cell.dataset.text = text + around;
    const small = document.createElement("small");
    small.textContent = around;
    cell.replaceChildren(text, ...(around ? [small] : []));
  }

  /** What the test says of the two that are compared. */
  private pair(): string {
    const { compared, report } = this.store;
    if (compared.length < 2) return compared.length ? "Pick a second model to compare." : "";
    const pair = report.pairs.find((p) => compared.includes(p.a) && compared.includes(p.b));
    if (!pair) return "";
    const [a, b] = [pair.a, pair.b].map((i) => short(report.models[i].name, 20));
    if (!pair.diff) return `${a} against ${b}: not tested.`;
    const [value, low, high, p, oneMore] = pair.diff;
    const withSign = (v: number): string => `${v < 0 ? "−" : "+"}${Math.abs(v).toFixed(4)}`;
    const around = low === null || high === null ? "" : ` (${withSign(low)} to ${withSign(high)})`;
    const certain = p === null ? "" : `, p ${p < 0.0001 ? "< 0.0001" : `= ${Number(p.toPrecision(2))}`}`;
    const fragile = oneMore === null ? "" : ` This rests on one case: with one more misranked, p ${oneMore < 0.0001 ? "< 0.0001" : `= ${Number(oneMore.toPrecision(2))}`}.`;
    return `${a} minus ${b}, ${report.metric}: ${withSign(value)}${around}${certain}.${fragile}`;
  }

  private put(name: string, text: string): void {
    this.outlets.put(name, text);
  }
}

/** A rate, or a metric that can be below zero. */
const signed = (value: number): string => (value < 0 ? `−${rate(-value)}` : rate(value));

function input(type: string, label: string): HTMLInputElement {
  const node = document.createElement("input");
  node.type = type;
  node.setAttribute("aria-label", label.slice(0, 120));
  return node;
}
