// Net benefit over the probabilities at which one would act, at the chosen class balance.
import { scaleLinear, type ScaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { rate } from "./format";
import { indexAt } from "./measures";
import { ProbabilityChart } from "./live";
import type { Outlets } from "./outlets";
import type { Store } from "./store";

type Scale = ScaleLinear<number, number>;
const MARGIN = { top: 22, right: 14, bottom: 38, left: 58 };
const HEIGHT = 340;
const STEPS = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

export class DecisionChart extends ProbabilityChart {
  protected readonly place = "decision-here";

  constructor(outlets: Outlets, host: HTMLElement, store: Store) {
    super(outlets, host, store, "Net benefit by threshold probability", HEIGHT, MARGIN);
  }

  /** True positives per case, less false ones weighed by the odds of p. */
  private benefit(p: number): number {
    const { model, share } = this.store;
    const index = indexAt(model, p);
    return (share * model.tp[index]) / model.nPos - ((1 - share) * (p / (1 - p)) * model.fp[index]) / model.nNeg;
  }

  render(): void {
    if (!this.width) return;
    const { svg, width, store } = this;
    const { model, share } = store;
    this.clear();
    const bottom = this.height - MARGIN.bottom;
    const [x, y] = this.scales();
    for (const value of y.ticks(5)) this.level(y(value), String(Number(value.toPrecision(3))).replace(/-/g, "−"));
    for (const value of [0, 0.25, 0.5, 0.75, 1]) this.tick(x(value), value);
    this.axes("↑ Net benefit", "Threshold probability →");
    const path = line<number>().defined((p) => this.all(p) >= this.floor).x((p) => x(p)).y((p) => y(this.all(p))).digits(1);
    const fine = Array.from({ length: 991 }, (_, i) => i / 1000);
    svg.append("path").attr("class", "chance").attr("d", path(fine));
    svg.append("path").attr("class", "chance").attr("d", `M${MARGIN.left},${y(0)}H${width - MARGIN.right}`);
    svg.append("text").attr("class", "note").attr("x", width - MARGIN.right - 4).attr("y", y(0) + 15).attr("text-anchor", "end").text("act on none");
    svg.append("text").attr("class", "note").attr("x", x(Math.min(0.8, share)) + 6).attr("y", bottom - 6).text("act on all");
    if (model.cal) {
      const curve = line<number>().x((p) => x(p)).y((p) => y(Math.max(this.benefit(p), this.floor))).digits(1);
      svg.append("path").attr("class", `curve active s${store.active % 8}`).attr("d", curve(STEPS));
    }
    this.mark = svg.append("g");
    this.drawCursor();
  }

  private scales(): [Scale, Scale] {
    const { share } = this.store;
    const x = scaleLinear().domain([0, 1]).range([MARGIN.left, this.width - MARGIN.right]);
    return [x, scaleLinear().domain([this.floor, 1.05 * share]).range([this.height - MARGIN.bottom, MARGIN.top])];
  }

  /** Curves are cut where acting harms a fifth of what it could help. */
  private get floor(): number {
    return -0.2 * this.store.share;
  }

  /** The net benefit of acting on everybody. */
  private all(p: number): number {
    const { share } = this.store;
    return share - (1 - share) * (p / (1 - p));
  }

  drawCursor(): void {
    if (!this.width) return;
    const { mark, store } = this;
    mark.selectAll("*").remove();
    if (!store.model.cal) {
      this.say("The scores of this model are not all in [0, 1].");
      return;
    }
    const p = store.threshold;
    if (!(p > 0 && p < 1)) {
      this.say("This threshold is not a probability between 0 and 1.");
      return;
    }
    const here = this.benefit(p);
    const [x, y] = this.scales();
    const [cx, cy] = [x(p), y(Math.max(here, this.floor))];
    this.guide(cx, cy);
    this.dot(cx, cy);
    const best = Math.max(0, this.all(p));
    const verdict = here > best ? "better than" : "no better than";
    this.say(`Acting at ${store.shown} or above has net benefit ${here < 0 ? "−" : ""}${rate(Math.abs(here))}, ${verdict} acting on everyone or no one.`);
  }
}
