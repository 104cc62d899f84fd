// The proportion of positives at each score: the edges of the ROC convex hull, moved with the class balance.
import { area, line } from "d3-shape";
import type { Band, Calibration } from "./data";
import { percent, rate } from "./format";
import { skewOf } from "./measures";
import { ProbabilityChart } from "./live";
import type { Outlets } from "./outlets";
import type { Store } from "./store";

const MARGIN = { top: 22, right: 14, bottom: 38, left: 46 };
const HEIGHT = 340;

export class CalibrationChart extends ProbabilityChart {
  protected readonly place = "calibration-here";

  constructor(outlets: Outlets, host: HTMLElement, store: Store) {
    super(outlets, host, store, "Proportion of positives by score", HEIGHT, MARGIN);
  }

  render(): void {
    if (!this.width) return;
    const { svg, store } = this;
    const { model, prevalence } = store;
    this.clear();
    const { x, y } = this;
    for (const value of [0, 0.25, 0.5, 0.75, 1]) {
      this.level(y(value), value);
      this.tick(x(value), value);
    }
    this.axes("↑ Proportion of positives", "Score →");
    const cal = model.cal;
    if (cal) {
      if (prevalence === null && cal.consistency) this.shade(cal.consistency, x, y);
      svg.append("path").attr("class", "chance").attr("d", `M${x(0)},${y(0)}L${x(1)},${y(1)}`);
      if (prevalence === null && cal.honest) this.outline(cal.honest, x, y);
      const points: Array<[number, number]> = [];
      for (let j = cal.pos.length - 1; j >= 0; j--) points.push([cal.low[j], this.share(cal, j)], [cal.high[j], this.share(cal, j)]);
      const path = line<[number, number]>().x(([a]) => x(a)).y(([, b]) => y(b)).digits(1);
      svg.append("path").attr("class", `curve active s${store.active % 8}`).attr("d", path(points));
    }
    this.mark = svg.append("g");
    this.drawCursor();
  }

  private x = (value: number): number => MARGIN.left + value * (this.width - MARGIN.right - MARGIN.left);
  private y = (value: number): number => this.height - MARGIN.bottom - value * (this.height - MARGIN.bottom - MARGIN.top);

  /** The share of positives in a block of scores, at the current balance. */
  private share(cal: Calibration, j: number): number {
    const { model, prevalence } = this.store;
    return cal.pos[j] / (cal.pos[j] + skewOf(model, prevalence) * cal.neg[j]);
  }

  drawCursor(): void {
    if (!this.width) return;
    const { mark, store } = this;
    const { cal } = store.model;
    mark.selectAll("*").remove();
    if (!cal) {
      this.say("The scores of this model are not all in [0, 1].");
      return;
    }
    const score = store.threshold;
    if (!(score >= 0 && score <= 1)) {
      this.say("This threshold lies outside of 0 to 1.");
      return;
    }
    const block = cal.low.findIndex((low) => score >= low);
    const j = block < 0 ? cal.pos.length - 1 : block;
    const share = this.share(cal, j);
    const [cx, cy] = [this.x(score), this.y(share)];
    this.guide(cx, cy);
    this.dot(cx, cy);
    const [low, high] = [rate(cal.low[j]), rate(cal.high[j])];
    const among = low === high ? `of ${low}` : `between ${low} and ${high}`;
    this.say(`${percent(share)} of the cases with scores ${among} are positive.`);
  }

  private shade(band: Band, x: (v: number) => number, y: (v: number) => number): void {
    const path = area<number>().x((i) => x(band.x[i])).y0((i) => y(band.low[i])).y1((i) => y(band.high[i])).digits(1);
    this.svg.append("path").attr("class", "beyond").attr("d", path(band.x.map((_, i) => i)));
  }

  private outline(band: Band, x: (v: number) => number, y: (v: number) => number): void {
    for (const edge of [band.low, band.high]) {
      const path = line<number>().x((i) => x(band.x[i])).y((i) => y(edge[i])).digits(1);
      this.svg.append("path").attr("class", `curve s${this.store.active % 8}`).attr("stroke-dasharray", "1.5 3").attr("stroke-width", 1.2).attr("d", path(band.x.map((_, i) => i)));
    }
  }
}
