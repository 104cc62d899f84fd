// Sliders, fields and switches.
import { reachOf, toPosition, toShare } from "./balance";
import { count, percent, rate, short, threshold } from "./format";
import { expected, sampleShare, toldAt, totalOf } from "./measures";
import type { Outlets } from "./outlets";
import type { Layer, Store } from "./store";

export class Controls {
  private slider: HTMLInputElement;
  private typed: HTMLInputElement;
  private balance: HTMLInputElement;
  private balanceTyped: HTMLInputElement;
  private layers: HTMLInputElement[];
  private chosen: HTMLSelectElement | null;
  private rival: HTMLSelectElement | null;
  /** Where the focus is told: in the document, or in a notebook's shadow DOM. */
  private scope: Document | ShadowRoot;
  private said: string | null = null;

  constructor(
    private outlets: Outlets,
    private store: Store,
  ) {
    const { root } = outlets;
    const find = <T extends Element>(selector: string): T => root.querySelector(selector) as T;
    this.slider = find("[data-in='slider']");
    this.typed = find("[data-in='threshold']");
    this.balance = find("[data-in='balance']");
    this.balanceTyped = find("[data-in='balance-typed']");
    this.layers = [...root.querySelectorAll<HTMLInputElement>("[data-layer]")];
    this.chosen = root.querySelector("[data-in='model']");
    this.rival = root.querySelector("[data-in='rival']");
    const around = this.typed.getRootNode();
    this.scope = around instanceof ShadowRoot ? around : document;
    this.listen();
  }

  private listen(): void {
    const { store, slider, typed, balance, balanceTyped } = this;
    const { root } = this.outlets;
    // To the right is stricter, as on the axis of scores.
    slider.addEventListener("input", () => store.pinIndex(store.model.t.length - 1 - Number(slider.value)));
    typed.addEventListener("change", () => {
      const text = typed.value.trim().replace("−", "-").replace("∞", "inf");
      const value = /^[+]?inf(inity)?$/i.test(text) ? Infinity : /^-inf(inity)?$/i.test(text) ? -Infinity : Number(text);
      const fine = text !== "" && !Number.isNaN(value);
      typed.setAttribute("aria-invalid", String(!fine));
      if (fine) store.pin(value);
    });
    typed.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      store.step(event.key === "ArrowUp" ? -1 : 1);
      this.render();
      typed.value = store.shown;
    });
    balance.addEventListener("input", () => {
      const sample = toPosition(sampleShare(store.model));
      const position = Number(balance.value);
      // Within a step of the sample's own balance the slider rests there.
      store.balance(Math.abs(position - sample) < 0.06 ? null : Number(toShare(position).toPrecision(3)));
    });
    balanceTyped.addEventListener("change", () => {
      const text = balanceTyped.value.trim();
      const value = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : /^\d+\s*\/\s*\d+$/.test(text) ? fraction(text) : Number(text);
      const fine = text !== "" && value > 0 && value < 1;
      balanceTyped.setAttribute("aria-invalid", String(!fine));
      if (fine) store.balance(value);
    });
    root.querySelector("[data-do='sample-balance']")?.addEventListener("click", () => store.balance(null));
    for (const box of this.layers) box.addEventListener("change", () => store.show(box.dataset.layer as Layer, box.checked));
    const options = (): HTMLOptionElement[] => store.report.ranked.map((i) => new Option(short(store.report.models[i].name, 24).slice(1, -1), String(i)));
    const model = this.chosen;
    model?.replaceChildren(...options());
    model?.addEventListener("change", () => store.choose(Number(model.value)));
    const jump = root.querySelector<HTMLSelectElement>("[data-in='jump']");
    jump?.addEventListener("change", () => {
      if (jump.value) store.jump(jump.value);
      jump.value = "";
    });
    const more = root.querySelector<HTMLDetailsElement>(".more");
    more?.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !more.open) return;
      event.stopPropagation();
      more.open = false;
      more.querySelector("summary")?.focus();
    });
    // A press elsewhere closes the box, too.
    this.scope.addEventListener("pointerdown", (event) => {
      if (more?.open && !event.composedPath().includes(more)) more.open = false;
    });
    const { rival } = this;
    rival?.replaceChildren(...options());
    rival?.addEventListener("change", () => {
      store.rival = Number(rival.value);
      store.tell("layers");
    });
  }

  render(): void {
    const { store, slider, typed, balance, balanceTyped, chosen, rival } = this;
    const { model, index, share, prevalence } = store;
    const last = model.t.length - 1;
    slider.max = String(last);
    slider.value = String(last - index);
    const [t, exact] = [store.shown, threshold(model.label[index])];
    slider.setAttribute("aria-valuetext", `threshold ${t}`);
    const focused = this.scope.activeElement;
    if (focused !== typed) typed.value = t;
    const [low, high] = store.span;
    const opened = store.opened ? "largest F1 on these data" : "";
    this.put("same-as", low !== high ? "approximate" : t === exact ? opened : `same as ${exact}`);
    const sample = sampleShare(model);
    const [least, most] = reachOf(store);
    balance.min = String(least);
    balance.max = String(most);
    balance.value = String(toPosition(share));
    balance.setAttribute("aria-valuetext", `${percent(share)} positive`);
    if (focused !== balanceTyped) balanceTyped.value = percent(share);
    this.put("sample-share", percent(sample));
    this.put("share", percent(share));
    this.put("share-odds", share >= 0.5 ? "" : `one in ${count(Number((1 / share).toPrecision(3)))}`);
    this.put("pr-area", rate(store.area(store.active, "interpolated")[0], 4));
    this.put("pr-area-sample", rate(prevalence === null ? store.area(store.active, "interpolated")[0] : store.sampleArea(), 4));
    this.put("headline", this.headline());
    for (const box of this.layers) box.checked = store.layers[box.dataset.layer as Layer];
    if (chosen) chosen.value = String(store.active);
    if (rival) rival.value = String(store.rival);
  }

  /** What the page says first of alerts, at the current prevalence; the library's own sentence where it stands. */
  private headline(): string {
    const { store } = this;
    this.said ??= this.outlets.root.querySelector("[data-out='headline']")?.textContent ?? "";
    if (store.prevalence === store.report.prevalence) return this.said;
    const model = store.report.models[store.report.ranked[0]];
    const index = model.tp.findIndex((tp) => tp >= 0.9 * model.nPos * (1 - 1e-12));
    const cells = expected(model, index, store.prevalence);
    const told = toldAt(model, store.prevalence);
    const among = told === null ? "" : ` among ${count(totalOf(model, store.prevalence))} ${store.report.cases}, ${percent(told)} of them positive`;
    const right = cells.tp / (cells.tp + cells.fp);
    return `To find ${percent(cells.tp / (cells.tp + cells.fn))} of the positives, ${short(model.name)} raises ${count(cells.tp + cells.fp)} alerts${among}, of which ${percent(right)} are right.`;
  }

  private put(name: string, text: string): void {
    this.outlets.put(name, text);
  }
}

function fraction(text: string): number {
  const [part, whole] = text.split("/").map(Number);
  return part / whole;
}

