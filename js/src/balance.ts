// How precision at the current threshold depends on the prevalence.
import { scaleLinear } from "d3-scale";
import { select, type Selection } from "d3-selection";
import { line } from "d3-shape";
import { draggable } from "./drag";
import { percent, rate } from "./format";
import { confusion, rates, sampleShare, skewOf } from "./measures";
import { room } from "./room";
import type { Store } from "./store";

export const toShare = (position: number): number => 1 / (1 + Math.exp(-position));
export const toPosition = (share: number): number => Math.log(share / (1 - share));

/** The ends of the slider, in log odds: one in ten thousand and 99 in a hundred, or past the samples' own. */
export function reachOf(store: Store): [number, number] {
  const samples = store.report.models.map((model) => toPosition(sampleShare(model)));
  return [Math.floor(Math.min(-9.22, Math.min(...samples) - 1) * 50) / 50, Math.ceil(Math.max(4.6, Math.max(...samples) + 1) * 50) / 50];
}

const MARGIN = { top: 24, right: 18, bottom: 40, left: 46 };
const HEIGHT = 214;
const TICKS = [0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99];

export class BalanceChart {
  readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private width = 0;
  private height = HEIGHT;

  constructor(
    private host: HTMLElement,
    private store: Store,
  ) {
    this.svg = select(host).append("svg").attr("class", "chart live").attr("role", "img").attr("aria-label", "Precision at this threshold by prevalence") as unknown as typeof this.svg;
    draggable(this.svg.node() as SVGSVGElement, (x) => {
      const [low, high] = reachOf(store);
      const [left, right] = [MARGIN.left, this.width - MARGIN.right];
      const position = low + ((high - low) * (Math.max(left, Math.min(right, x)) - left)) / (right - left);
      const sample = toPosition(sampleShare(store.model));
      store.balance(Math.abs(position - sample) < 0.1 ? null : Number(toShare(position).toPrecision(3)));
    });
  }

  resize(): void {
    const [width, height] = room(this.host, HEIGHT, HEIGHT);
    if (!width || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    this.render();
  }

  /** The curve itself moves with the threshold. */
  drawCursor(): void {
    this.render();
  }

  render(): void {
    if (!this.width) return;
    const { svg, width, store } = this;
    const { model, index, share } = store;
    const [low, high] = reachOf(store);
    const bottom = this.height - MARGIN.bottom;
    svg.attr("viewBox", `0 0 ${width} ${this.height}`).attr("width", width).attr("height", this.height);
    svg.selectAll("*").remove();
    const x = scaleLinear().domain([low, high]).range([MARGIN.left, width - MARGIN.right]);
    const y = scaleLinear().domain([0, 1]).range([bottom, MARGIN.top]);
    for (const value of [0, 0.5, 1]) {
      svg.append("path").attr("class", "grid").attr("d", `M${MARGIN.left},${y(value)}H${width - MARGIN.right}`);
      svg.append("text").attr("class", "tick").attr("x", MARGIN.left - 8).attr("y", y(value) + 4).attr("text-anchor", "end").text(value);
    }
    for (const value of TICKS) {
      svg.append("text").attr("class", "tick").attr("x", x(toPosition(value))).attr("y", bottom + 18).attr("text-anchor", "middle").text(percent(value));
    }
    svg.append("text").attr("class", "axis-label").attr("x", 0).attr("y", 12).text("↑ Precision at this threshold");
    svg.append("text").attr("class", "axis-label").attr("x", width - MARGIN.right).attr("y", this.height - 5).attr("text-anchor", "end").text("Prevalence →");
    const at = (position: number): number => rates(confusion(model, index), skewOf(model, toShare(position))).precision;
    const steps = Array.from({ length: 121 }, (_, i) => low + ((high - low) * i) / 120);
    const known = index > 0;
    if (known) {
      const path = line<number>().x((p) => x(p)).y((p) => y(at(p))).digits(1);
      svg.append("path").attr("class", `curve active s${store.active % 8}`).attr("d", path(steps));
    }
    const sample = toPosition(sampleShare(model));
    svg.append("path").attr("class", "sample-mark").attr("d", `M${x(sample)},${MARGIN.top}V${bottom}`);
    const side = sample > 0 ? "end" : "start";
    svg.append("text").attr("class", "note").attr("x", x(sample) + (sample > 0 ? -6 : 6)).attr("y", bottom - 8).attr("text-anchor", side).text(`sample ${percent(sampleShare(model))}`);
    if (!known) return;
    const position = Math.max(low, Math.min(high, toPosition(share)));
    const [cx, cy] = [x(position), y(at(toPosition(share)))];
    svg.append("path").attr("class", "guide").attr("d", `M${MARGIN.left},${cy}H${cx}V${bottom}`);
    svg.append("circle").attr("class", "halo").attr("cx", cx).attr("cy", cy).attr("r", 8);
    svg.append("circle").attr("class", `dot f${store.active % 8}`).attr("cx", cx).attr("cy", cy).attr("r", 5.5);
    const left = cx > width * 0.72;
    svg.append("text").attr("class", "quadrant").attr("x", cx + (left ? -13 : 13)).attr("y", cy + (cy > this.height / 2 ? -10 : 20)).attr("text-anchor", left ? "end" : "start").text(rate(at(toPosition(share))));
  }
}
