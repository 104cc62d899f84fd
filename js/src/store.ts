// What the reader is looking at, and who wants to know when it changes.
import type { Model, Report } from "./data";
import { threshold as written } from "./format";
import { bestBy, indexAt, rates, skewOf, type Costs } from "./measures";

export type Layer = "hull" | "achievable" | "bands" | "chance" | "unachievable" | "lead" | "isocost";
export type Topic = "cursor" | "model" | "layers" | "prevalence" | "costs";

export class Store {
  active = 0;
  hover: number | null = null;
  prevalence: number | null;
  rival: number;
  layers: Record<Layer, boolean> = {
    hull: false,
    achievable: false,
    bands: true,
    chance: true,
    unachievable: false,
    lead: false,
    isocost: false,
  };
  costs: Costs = { miss: 10, alarm: 1, perDay: 1000, budget: null };
  /** The threshold each model is pinned to: as it was typed, not as it was rounded to a score. */
  private pinned: number[];
  private listeners: Array<(topic: Topic) => void> = [];

  constructor(readonly report: Report) {
    this.prevalence = report.prevalence;
    this.pinned = report.models.map((model) => model.t[model.start]);
    this.rival = report.models.length > 1 ? 1 : 0;
  }

  get model(): Model {
    return this.report.models[this.active];
  }

  /** The class balance of the active model: that of the slider, or the sample's own. */
  get share(): number {
    return this.prevalence ?? this.model.nPos / (this.model.nPos + this.model.nNeg);
  }

  get skew(): number {
    return skewOf(this.model, this.prevalence);
  }

  /** The operating point that everything shows: under the pointer, or else the pinned one. */
  get index(): number {
    return this.hover ?? indexAt(this.model, this.pinned[this.active]);
  }

  get threshold(): number {
    return this.hover === null ? this.pinned[this.active] : this.model.t[this.hover];
  }

  /** The threshold in words: as it was typed, or a short number that makes the same calls. */
  get shown(): string {
    return this.threshold === this.model.t[this.index] ? written(this.model.label[this.index]) : written(this.threshold);
  }

  on(listener: (topic: Topic) => void): void {
    this.listeners.push(listener);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners) listener(topic);
  }

  look(index: number | null): void {
    if (this.hover === index) return;
    this.hover = index;
    this.tell("cursor");
  }

  /** Where points were left out, only those that are drawn have counts: the nearest one answers. */
  private answered(threshold: number): number {
    const { model } = this;
    if (model.t.length === model.nPoints) return threshold;
    const above = indexAt(model, threshold);
    const below = Math.min(above + 1, model.t.length - 1);
    const upper = model.t[above] - threshold;
    return model.t[Number.isFinite(upper) && upper <= threshold - model.t[below] ? above : below];
  }

  /** Look at any threshold, which need not be a score. */
  lookAt(threshold: number): void {
    this.look(indexAt(this.model, this.answered(threshold)));
  }

  pin(threshold: number): void {
    this.pinned[this.active] = threshold === Infinity ? threshold : this.answered(threshold);
    this.hover = null;
    this.tell("cursor");
  }

  pinIndex(index: number): void {
    const last = this.model.t.length - 1;
    this.pin(this.model.t[Math.max(0, Math.min(last, index))]);
  }

  step(by: number): void {
    this.pinIndex(indexAt(this.model, this.pinned[this.active]) + by);
  }

  choose(active: number): void {
    if (active === this.active) return;
    if (this.rival === active) this.rival = this.active;
    this.active = active;
    this.hover = null;
    this.tell("model");
  }

  show(layer: Layer, on: boolean): void {
    this.layers[layer] = on;
    this.tell("layers");
  }

  balance(prevalence: number | null): void {
    this.prevalence = prevalence;
    this.tell("prevalence");
  }

  spend(costs: Partial<Costs>): void {
    this.costs = { ...this.costs, ...costs };
    this.tell("costs");
  }

  /** Go to a point that people often ask for. */
  jump(rule: string): void {
    const { model, skew } = this;
    if (rule === "f1") this.pinIndex(bestBy(model, (i) => rates(model, i, skew).f1));
    else if (rule === "youden") this.pinIndex(bestBy(model, (i) => rates(model, i, skew).youden));
    else if (rule.startsWith("recall")) {
      const target = Number(rule.slice(6));
      this.pinIndex(model.tp.findIndex((tp) => tp >= target * model.nPos * (1 - 1e-12)));
    } else if (rule.startsWith("precision")) {
      const target = Number(rule.slice(9));
      this.pinIndex(bestBy(model, (i) => (i > 0 && rates(model, i, skew).precision >= target ? model.tp[i] : -1)));
    }
  }
}
