// The scores of both classes, positives above the line and negatives below, cut by the threshold.
import { scaleLinear, scalePow } from "d3-scale";
import { pointer, select, type Selection } from "d3-selection";
import { count, threshold } from "./format";
import { expected } from "./measures";
import { room } from "./room";
import type { Store } from "./store";

/** A bar in pixels, with its cases and those of its class that score higher. */
interface Bar {
  left: number;
  right: number;
  positive: boolean;
  cases: number;
  above: number;
  /** What is called, right of the split, and what is not. */
  full: SVGRectElement;
  pale: SVGRectElement;
  split: number;
}

type Layer = Selection<SVGGElement, unknown, null, undefined>;
const MARGIN = { top: 34, right: 16, bottom: 46, left: 52 };

export class HistogramChart {
  readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private bars: Layer;
  private cut: Layer;
  private ghost: Layer;
  private width = 0;
  private height = 0;
  private straight = false;
  private ends: [number, number] = [0, 1];
  private drawn: Bar[] = [];

  constructor(
    private host: HTMLElement,
    private store: Store,
    private still = false,
  ) {
    this.svg = select(host)
      .append("svg")
      .attr("class", "chart live")
      .attr("role", "img")
      .attr("aria-label", "Histogram of scores by class, cut at the threshold") as unknown as typeof this.svg;
    this.bars = this.svg.append("g");
    this.cut = this.svg.append("g");
    this.ghost = this.svg.append("g");
    if (!still) this.listen();
  }

  resize(): void {
    const [width, height] = room(this.host, 308, 308);
    if (!width || (width === this.width && height === this.height)) return;
    this.size(width, height);
  }

  size(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    this.render();
  }

  private get range(): [number, number] {
    return [MARGIN.left, this.width - MARGIN.right];
  }

  /** Pixels of a score; halves keep the width finite when scores span the whole range of floats. */
  private x(value: number): number {
    const [low, high] = this.ends;
    const [left, right] = this.range;
    return left + (right - left) * ((value / 2 - low / 2) / (high / 2 - low / 2));
  }

  private ticks(count: number): number[] {
    const [low, high] = this.ends;
    return Number.isFinite(high - low) ? scaleLinear().domain(this.ends).ticks(count) : [low, 0, high];
  }

  setStraight(on: boolean): void {
    this.straight = on;
    this.render();
  }

  render(): void {
    if (!this.width) return;
    const { width, height, straight } = this;
    const { hist, nPos, nNeg } = this.store.model;
    this.svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    this.ends = [hist.edges[0], hist.edges[hist.edges.length - 1]];
    const shares = [hist.pos.map((v) => v / nPos), hist.neg.map((v) => v / nNeg)];
    const top = Math.max(...shares[0], ...shares[1]);
    const middle = (MARGIN.top + height - MARGIN.bottom - 8) / 2;
    const reach = middle - MARGIN.top;
    // Square roots keep a bar of 0.1% visible beside one of 90%.
    const tall = (straight ? scaleLinear() : scalePow().exponent(0.5)).domain([0, top]).range([0, reach]);
    this.bars.selectAll("*").remove();
    this.drawn = [];
    const steps = straight ? tall.ticks(3) : [0.001, 0.01, 0.1, 0.25, 0.5, 1].filter((v) => v < top);
    // From the tallest down, as long as the numbers have room between each other.
    const apart: number[] = [];
    for (const step of [...steps].reverse()) if (step > 0 && tall(step) > 14 && apart.every((other) => tall(other) - tall(step) > 15)) apart.push(step);
    for (const step of apart) {
      for (const side of [-1, 1]) {
        const y = middle + side * tall(step);
        this.bars.append("path").attr("class", "grid").attr("d", `M${MARGIN.left},${y}H${width - MARGIN.right}`);
        this.bars.append("text").attr("class", "tick").attr("x", MARGIN.left - 8).attr("y", y + 4).attr("text-anchor", "end").text(`${Number((step * 100).toPrecision(3))}%`);
      }
    }
    const columns = this.bars.append("g").attr("class", "columns");
    shares.forEach((share, which) => {
      const cases = which === 0 ? hist.pos : hist.neg;
      const above = new Array<number>(cases.length).fill(0);
      for (let i = cases.length - 2; i >= 0; i--) above[i] = above[i + 1] + cases[i + 1];
      share.forEach((value, i) => {
        if (value <= 0) return;
        const height = Math.max(tall(value), 1);
        const top = which === 0 ? middle - height : middle;
        const rect = (kind: string): SVGRectElement => columns.append("rect").attr("class", `bar ${kind}`).attr("y", top).attr("height", height).remove().node() as SVGRectElement;
        const kind = which === 0 ? "pos" : "neg";
        this.drawn.push({
          left: this.x(hist.edges[i]) + 0.5,
          right: this.x(hist.edges[i + 1]) - 0.5,
          positive: which === 0,
          cases: cases[i],
          above: above[i],
          full: rect(this.still ? kind : `${kind} ${which === 0 ? "tp" : "fp"}`),
          pale: rect(this.still ? kind : `${kind} missed ${which === 0 ? "fn" : "tn"}`),
          split: NaN,
        });
      });
    });
    this.bars.append("path").attr("class", "baseline").attr("d", `M${MARGIN.left},${middle}H${width - MARGIN.right}`);
    for (const value of this.ticks(width < 400 ? 4 : 6)) {
      this.bars.append("text").attr("class", "tick").attr("x", this.x(value)).attr("y", height - MARGIN.bottom + 21).attr("text-anchor", "middle").text(threshold(value));
    }
    this.bars.append("text").attr("class", "axis-label").attr("x", width - MARGIN.right).attr("y", height - 4).attr("text-anchor", "end").text("Score →");
    this.bars.append("text").attr("class", "axis-label pos-text").attr("x", 0).attr("y", 10).text("▲ positives");
    const scale = straight ? "% of its class" : "% of its class, square-root scale";
    if (width > 300) this.bars.append("text").attr("class", "note").attr("x", width - MARGIN.right).attr("y", 10).attr("text-anchor", "end").text(scale);
    this.bars.append("text").attr("class", "axis-label neg-text").attr("x", 0).attr("y", height - 4).text("▼ negatives");
    this.drawCursor();
  }

  drawCursor(): void {
    if (!this.width) return;
    const { store, width } = this;
    const { model, index } = store;
    const [left, right] = this.range;
    // Between whole numbers there is nothing: the cut stands where the bars part.
    const value = model.hist.whole && Number.isFinite(store.threshold) ? Math.ceil(store.threshold) - 0.5 : store.threshold;
    const at = value === Infinity ? right + 6 : value === -Infinity ? left - 6 : Math.min(Math.max(this.x(value), left - 6), right + 6);
    const columns = this.bars.select<SVGGElement>("g.columns").node() as SVGGElement;
    for (const bar of this.drawn) {
      // By what is called, not by where the line stands: a bar that is counted as found is never pale.
      const called = this.still ? bar.cases : Math.min(bar.cases, Math.max(0, (bar.positive ? model.tp : model.fp)[index] - bar.above));
      const split = bar.right - (bar.right - bar.left) * (called / bar.cases);
      // A move of the threshold splits one bar or two; the others stay as they are.
      if (split === bar.split) continue;
      bar.split = split;
      stretch(columns, bar.pale, bar.left, split);
      stretch(columns, bar.full, split, bar.right);
    }
    this.cut.selectAll("*").remove();
    if (this.still) return;
    const bottom = this.height - MARGIN.bottom;
    this.cut.append("path").attr("class", "cut").attr("d", `M${at},${MARGIN.top - 6}V${bottom + 4}`);
    this.cut.append("path").attr("class", "grip").attr("d", `M${at - 6},${MARGIN.top - 12}h12v6l-6,7l-6,-7z`);
    const { tp, fp, fn, tn } = expected(model, index, store.prevalence);
    const room = { left: at - left > 74, right: right - at > 74 };
    const label = (kind: string, x: number, y: number, anchor: string, text: string, show: boolean): void => {
      if (show) this.cut.append("text").attr("class", `quadrant ${kind}-text`).attr("x", x).attr("y", y).attr("text-anchor", anchor).text(text);
    };
    label("fn", at - 10, MARGIN.top - 4, "end", `${count(fn)} missed`, room.left);
    label("tp", at + 10, MARGIN.top - 4, "start", `${count(tp)} found`, room.right);
    label("tn", at - 10, bottom + 2, "end", `${count(tn)} cleared`, room.left);
    label("fp", at + 10, bottom + 2, "start", `${count(fp)} false alarms`, room.right && width > 0);
  }

  /** Where the pointer would cut. */
  drawGhost(): void {
    this.ghost.selectAll("*").remove();
    const { ghost, model } = this.store;
    if (ghost === null || ghost === this.store.index || !this.width) return;
    const [left, right] = this.range;
    const value = model.hist.whole && Number.isFinite(model.t[ghost]) ? Math.ceil(model.t[ghost]) - 0.5 : model.t[ghost];
    const at = value === Infinity ? right + 6 : Math.min(Math.max(this.x(value), left - 6), right + 6);
    this.ghost.append("path").attr("class", "cut ghost-cut").attr("d", `M${at},${MARGIN.top - 6}V${this.height - MARGIN.bottom + 4}`);
  }

  private listen(): void {
    const node = this.svg.node() as SVGSVGElement;
    let held = false;
    const value = (event: Event): number => {
      const [x] = pointer(event, node);
      const [left, right] = this.range;
      if (x > right + 4) return Infinity;
      const share = (Math.max(left, Math.min(right, x)) - left) / (right - left);
      return this.ends[0] * (1 - share) + this.ends[1] * share;
    };
    this.svg
      .on("pointermove", (event: PointerEvent) => {
        if (held) this.store.drag(tidy(value(event), this.ends));
        else this.store.lookAt(value(event));
      })
      .on("pointerdown", (event: PointerEvent) => {
        held = true;
        node.setPointerCapture(event.pointerId);
        this.store.drag(tidy(value(event), this.ends));
      })
      .on("pointerup", () => (held = false))
      .on("pointercancel", () => (held = false))
      .on("pointerleave", () => this.store.look(null));
  }
}

/** Draw a rectangle between two ends, or not at all where nothing is between them. */
function stretch(columns: SVGGElement, rect: SVGRectElement, left: number, right: number): void {
  if (right - left < 0.05) {
    rect.remove();
    return;
  }
  rect.setAttribute("x", String(left));
  rect.setAttribute("width", String(right - left));
  if (!rect.parentNode) columns.append(rect);
}

/** Round to what a pixel can tell. */
function tidy(value: number, [low, high]: [number, number]): number {
  if (!Number.isFinite(value) || !Number.isFinite(high - low)) return value;
  const digits = Math.max(0, Math.min(15, 3 - Math.floor(Math.log10(high - low || 1))));
  return Number(value.toFixed(digits));
}
