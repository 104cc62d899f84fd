// What the reader is looking at, and who wants to know when it changes.
import type { Interval, Model, Report } from "./data";
import { threshold as written } from "./format";
import { limitsAt } from "./intervals";
import { bestBy, confusion, indexAt, prArea, rates, skewOf, type Costs } from "./measures";
import type { Space } from "./paths";

export type Layer = "hull" | "achievable" | "bands" | "chance" | "unachievable" | "lead" | "isocost";
export type Topic = "cursor" | "ghost" | "model" | "layers" | "prevalence" | "costs" | "cross";

export class Store {
  active: number;
  /** The point under the pointer, shown beside the chosen one. */
  ghost: number | null = null;
  prevalence: number | null;
  rival: number;
  /** A value on the horizontal axis of a plane, at which every model is read. */
  cross: { space: Space; x: number } | null = null;
  /** The curve under the pointer, where that is not the active one. */
  near: number | null = null;
  hidden = new Set<number>();
  /** Two models that are looked at beside each other. */
  compared: number[] = [];
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
  /** Whether the active model still stands where the page opened. */
  get opened(): boolean {
    return this.pinned[this.active] === this.model.t[this.model.start];
  }

  private known: { key: string; limits: ReturnType<typeof limitsAt> } | null = null;

  /** The limits of every metric at the operating point; null if none are known, or the point lies between two that were kept. */
  get limits(): ReturnType<typeof limitsAt> {
    const { model, index, prevalence, report } = this;
    const key = `${this.active} ${index} ${prevalence}`;
    if (this.known?.key !== key) this.known = { key, limits: limitsAt(model, index, prevalence, report.level) };
    return this.known.limits;
  }

  private areas = new Map<number, [number | null, number]>();
  private listeners: Array<(topic: Topic) => void> = [];

  constructor(readonly report: Report) {
    this.prevalence = report.prevalence;
    this.pinned = report.models.map((model) => model.t[model.start]);
    this.active = report.ranked[0] ?? 0;
    this.rival = report.ranked[1] ?? 0;
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

  /** The operating point that everything shows. */
  get index(): number {
    return indexAt(this.model, this.pinned[this.active]);
  }

  /** The drawn points between which the answer lies; the same one twice where it is exact. */
  get span(): [number, number] {
    const { model, index } = this;
    const exact = model.t.length === model.nPoints || index === 0 || index === model.t.length - 1;
    return exact || this.pinned[this.active] >= model.label[index] ? [index, index] : [index, index + 1];
  }

  get threshold(): number {
    return this.pinned[this.active];
  }

  /** The threshold in words: as it was typed, or a short number that makes the same calls. */
  get shown(): string {
    return this.threshold === this.model.t[this.index] ? written(this.model.label[this.index]) : written(this.threshold);
  }

  /** Models that are drawn, the best first. */
  get visible(): number[] {
    return this.report.ranked.filter((i) => !this.hidden.has(i) || i === this.active);
  }

  /** An area of a model as it stands at the current balance; no interval where none was computed. */
  area(i: number, key: string): Interval {
    const model = this.report.models[i];
    if (key !== "interpolated" || this.prevalence === this.report.prevalence) return model.areas[key];
    if (this.prevalence === null && model.own) return model.own;
    return [this.prAreaOf(i, this.prevalence), null, null];
  }

  /** The interpolated area of the active model at the sample's own balance. */
  sampleArea(): number {
    const { model, report } = this;
    return report.prevalence === null ? model.areas.interpolated[0] : (model.own?.[0] ?? this.prAreaOf(this.active, null));
  }

  private prAreaOf(i: number, prevalence: number | null): number {
    const known = this.areas.get(i);
    if (known && known[0] === prevalence) return known[1];
    const model = this.report.models[i];
    const area = prArea(model, skewOf(model, prevalence));
    this.areas.set(i, [prevalence, area]);
    return area;
  }

  on(listener: (topic: Topic) => void): void {
    this.listeners.push(listener);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners) listener(topic);
  }

  /** Point at another operating point without choosing it. */
  look(index: number | null): void {
    if (this.ghost === index) return;
    this.ghost = index;
    this.tell("ghost");
  }

  /** Read every model at one place of an axis, and point at the curve that is nearest. */
  aim(cross: Store["cross"], near: number | null): void {
    if (this.cross === null && cross === null && this.near === near) return;
    this.cross = cross;
    this.near = near;
    this.tell("cross");
  }

  /** The point drawn that is nearest to a score, for pointers, which cannot tell them apart anyway. */
  drawn(threshold: number): number {
    const { model } = this;
    const above = indexAt(model, threshold);
    const below = Math.min(above + 1, model.t.length - 1);
    const upper = model.t[above] - threshold;
    return Number.isFinite(upper) && upper <= threshold - model.t[below] ? above : below;
  }

  /** Look at any threshold, which need not be a score. */
  lookAt(threshold: number): void {
    const { model } = this;
    this.look(model.t.length === model.nPoints ? indexAt(model, threshold) : this.drawn(threshold));
  }

  pin(threshold: number): void {
    this.pinned[this.active] = threshold;
    this.ghost = null;
    this.tell("cursor");
  }

  /** As `pin`, from a pointer: where points were left out, on the nearest that was not. */
  drag(threshold: number): void {
    const { model } = this;
    if (model.t.length === model.nPoints || threshold === Infinity) this.pin(threshold);
    else this.pinIndex(this.drawn(threshold));
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
    this.ghost = null;
    this.near = null;
    this.tell("model");
  }

  show(layer: Layer, on: boolean): void {
    this.layers[layer] = on;
    this.tell("layers");
  }

  hide(i: number, on: boolean): void {
    if (on) this.hidden.add(i);
    else this.hidden.delete(i);
    this.tell("layers");
  }

  /** Keep two models beside each other; a third takes the place of the first. */
  compare(i: number, on: boolean): void {
    this.compared = on ? [...this.compared.filter((p) => p !== i), i].slice(-2) : this.compared.filter((p) => p !== i);
    if (this.compared.length === 2) {
      if (!this.compared.includes(this.active)) this.choose(this.compared[1]);
      this.rival = this.compared.find((p) => p !== this.active) as number;
      this.layers.lead = true;
    }
    this.tell("layers");
  }

  /** Look at the same threshold, model, prevalence and layers as another data set does. */
  follow(other: Store): void {
    const same = this.report.models.findIndex((model) => model.name === other.model.name);
    if (same >= 0) this.active = same;
    this.prevalence = other.prevalence;
    this.layers = { ...other.layers };
    this.costs = { ...other.costs };
    this.ghost = null;
    this.near = null;
    other.report.models.forEach((model, i) => {
      const here = this.report.models.findIndex((own) => own.name === model.name);
      if (here >= 0) this.pinned[here] = other.pinned[i];
    });
    this.tell("model");
    this.tell("prevalence");
    this.tell("cursor");
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
    if (rule === "f1") this.pinIndex(bestBy(model, (i) => rates(confusion(model, i), skew).f1));
    else if (rule === "youden") this.pinIndex(bestBy(model, (i) => rates(confusion(model, i), skew).youden));
    else if (rule.startsWith("recall")) {
      const target = Number(rule.slice(6));
      this.pinIndex(model.tp.findIndex((tp) => tp >= target * model.nPos * (1 - 1e-12)));
    } else if (rule.startsWith("precision")) {
      const target = Number(rule.slice(9));
      this.pinIndex(bestBy(model, (i) => (i > 0 && rates(confusion(model, i), skew).precision >= target ? model.tp[i] : -1)));
    }
  }
}
