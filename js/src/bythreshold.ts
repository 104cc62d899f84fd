// Recall, precision, F1 and the false positive rate against the threshold, with their intervals.
import { scaleLinear } from "d3-scale";
import { select, type Selection } from "d3-selection";
import { area, line } from "d3-shape";
import { draggable } from "./drag";
import { rate, threshold as written } from "./format";
import { limitsAt, type Limits } from "./intervals";
import { confusion, rates, skewOf, type Rates } from "./measures";
import { room } from "./room";
import type { Store } from "./store";

const MARGIN = { top: 26, right: 100, bottom: 36, left: 46 };
const SHOWN: Array<[keyof Rates, string]> = [["recall", "Recall"], ["precision", "Precision"], ["f1", "F1"], ["fpr", "FPR"]];
/** Places at which intervals are computed; curves have every point. */
const STEPS = 48;

export class ByThresholdChart {
  readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private width = 0;
  private height = 0;
  private mark: Selection<SVGGElement, unknown, null, undefined>;
  private ends: Limits = [0, 1];
  private kept = new Map<string, Array<Record<keyof Rates, Limits> | null>>();

  constructor(
    private host: HTMLElement,
    private store: Store,
  ) {
    this.svg = select(host).append("svg").attr("class", "chart live").attr("role", "img").attr("aria-label", "Recall, precision, F1 and false positive rate by threshold") as unknown as typeof this.svg;
    this.mark = this.svg.append("g");
    draggable(this.svg.node() as SVGSVGElement, (x) => {
      const [left, right] = [MARGIN.left, this.width - MARGIN.right];
      const share = (Math.max(left, Math.min(right, x)) - left) / (right - left);
      store.drag(Number((this.ends[0] * (1 - share) + this.ends[1] * share).toPrecision(4)));
    });
  }

  resize(): void {
    const [width, height] = room(this.host, 300, 300);
    if (!width || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    this.render();
  }

  private x(value: number): number {
    const [low, high] = this.ends;
    const share = Math.max(0, Math.min(1, (value / 2 - low / 2) / (high / 2 - low / 2)));
    return MARGIN.left + (this.width - MARGIN.right - MARGIN.left) * share;
  }

  private y = (value: number): number => this.height - MARGIN.bottom - value * (this.height - MARGIN.bottom - MARGIN.top);

  /** Points at even steps of the axis, the ends included. */
  private places(): number[] {
    const { t } = this.store.model;
    const out: number[] = [];
    let last = -Infinity;
    for (let i = 1; i < t.length; i++) {
      const x = this.x(t[i]);
      if (out.length && Math.abs(x - last) < (this.width - MARGIN.left - MARGIN.right) / STEPS && i < t.length - 1) continue;
      out.push(i);
      last = x;
    }
    return out;
  }

  /** Points that a screen can tell apart. */
  private steps(): number[] {
    const { t } = this.store.model;
    const out: number[] = [];
    let last = -Infinity;
    for (let i = 1; i < t.length; i++) {
      const x = this.x(t[i]);
      if (Math.abs(x - last) < 0.5 && i < t.length - 1) continue;
      out.push(i);
      last = x;
    }
    return out;
  }

  render(): void {
    if (!this.width) return;
    const { svg, width, height, store } = this;
    const { model, prevalence, report } = store;
    const skew = skewOf(model, prevalence);
    svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    svg.selectAll("*").remove();
    this.ends = [model.hist.edges[0], model.hist.edges[model.hist.edges.length - 1]];
    const bottom = height - MARGIN.bottom;
    for (const value of height < 180 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]) {
      svg.append("path").attr("class", "grid").attr("d", `M${MARGIN.left},${this.y(value)}H${width - MARGIN.right}`);
      svg.append("text").attr("class", "tick").attr("x", MARGIN.left - 8).attr("y", this.y(value) + 4).attr("text-anchor", "end").text(value);
    }
    const ticks = Number.isFinite(this.ends[1] - this.ends[0]) ? scaleLinear().domain(this.ends).ticks(5) : this.ends;
    for (const value of ticks) svg.append("text").attr("class", "tick").attr("x", this.x(value)).attr("y", bottom + 17).attr("text-anchor", "middle").text(written(value));
    svg.append("text").attr("class", "axis-label").attr("x", width - MARGIN.right).attr("y", height - 4).attr("text-anchor", "end").text("Threshold →");
    const key = `${store.active} ${prevalence} ${width}`;
    const places = this.places();
    // A few sets of intervals are kept: dragging the threshold needs them anew in no frame.
    if (!this.kept.has(key)) {
      if (this.kept.size > 12) this.kept.clear();
      this.kept.set(key, store.layers.bands ? places.map((i) => limitsAt(model, i, prevalence, report.level)) : []);
    }
    const found = this.kept.get(key) as Array<Record<keyof Rates, Limits> | null>;
    const steps = this.steps();
    const values = steps.map((i) => rates(confusion(model, i), skew));
    const across = steps.map((i) => this.x(model.t[i]));
    const every = steps.map((_, k) => k);
    for (const [k, [name]] of SHOWN.entries()) {
      if (store.layers.bands && found.length === places.length && found[0]) {
        const band = area<number>().x((i) => this.x(model.t[places[i]])).y0((i) => this.y(found[i]?.[name][0] ?? 0)).y1((i) => this.y(found[i]?.[name][1] ?? 0)).digits(1);
        svg.append("path").attr("class", `band k${k}`).attr("d", band(places.map((_, i) => i)));
      }
      const path = line<number>().defined((i) => !Number.isNaN(values[i][name])).x((i) => across[i]).y((i) => this.y(values[i][name])).digits(1);
      svg.append("path").attr("class", `metric k${k} d${k}`).attr("d", path(every));
    }
    this.mark = svg.append("g");
    this.drawCursor();
  }

  drawCursor(): void {
    if (!this.width) return;
    const { mark, store } = this;
    mark.selectAll("*").remove();
    const { model, index, skew } = store;
    const x = this.x(store.threshold === Infinity ? this.ends[1] : store.threshold === -Infinity ? this.ends[0] : store.threshold);
    const bottom = this.height - MARGIN.bottom;
    mark.append("path").attr("class", "cut").attr("d", `M${x},${MARGIN.top - 6}V${bottom + 4}`);
    const here = rates(confusion(model, index), skew);
    const named = SHOWN.map(([name, word], k) => ({ k, word, value: here[name] })).filter(({ value }) => !Number.isNaN(value));
    for (const { k, value } of named) mark.append("circle").attr("class", `metric-dot k${k}`).attr("cx", x).attr("cy", this.y(value)).attr("r", 4);
    // Names with their values stand in the margin, in the order of the values, none on another.
    let last = -Infinity;
    const sorted = [...named].sort((a, b) => b.value - a.value);
    const places = sorted.map(({ value }) => (last = Math.max(last + 14, this.y(value) + 4)));
    const over = Math.max(0, (places[places.length - 1] ?? 0) - bottom - 2);
    sorted.forEach(({ k, word, value }, i) => {
      mark.append("text").attr("class", `metric-name k${k}`).attr("x", this.width - MARGIN.right + 6).attr("y", places[i] - over).text(`${word} ${rate(value)}`);
    });
  }
}
