// The confusion matrix with its rates, and the same in a sentence; everywhere in one unit of counts.
import { count, percent, rate, short } from "./format";
import { confusion, expected, rates, toldAt, totalOf, type Confusion, type Rates } from "./measures";
import type { Outlets } from "./outlets";
import type { Store } from "./store";

type Range = [number, number];

export class ConfusionPanel {
  private timer = 0;
  private bars: HTMLElement[];

  constructor(
    private outlets: Outlets,
    private store: Store,
  ) {
    this.bars = [...outlets.root.querySelectorAll<HTMLElement>("[data-bar]")];
  }

  /** A count, or a range where points were left out. */
  private figure([low, high]: Range): string {
    return count(low) === count(high) ? count(low) : `${count(low)}–${count(high)}`;
  }

  private cells(): Record<keyof Confusion, Range> {
    const { model, prevalence, span } = this.store;
    const [a, b] = span.map((index) => expected(model, index, prevalence));
    return { tp: [a.tp, b.tp], fp: [a.fp, b.fp], fn: [b.fn, a.fn], tn: [b.tn, a.tn] };
  }

  render(): void {
    const { store } = this;
    const { model, prevalence } = store;
    const cells = this.cells();
    for (const [name, value] of Object.entries(cells)) this.put(name, this.figure(value));
    for (const bar of this.bars) {
      const name = bar.dataset.bar as keyof Confusion;
      const side = name === "tp" || name === "fn" ? cells.tp[0] + cells.fn[1] : cells.fp[0] + cells.tn[1];
      bar.style.setProperty("width", `${((100 * cells[name][0]) / side).toFixed(2)}%`);
    }
    const sum = (a: Range, b: Range): Range => [a[0] + b[0], a[1] + b[1]];
    this.put("actual-pos", this.figure([cells.tp[0] + cells.fn[1], cells.tp[0] + cells.fn[1]]));
    this.put("actual-neg", this.figure([cells.fp[0] + cells.tn[1], cells.fp[0] + cells.tn[1]]));
    this.put("called-pos", this.figure(sum(cells.tp, cells.fp)));
    this.put("called-neg", this.figure(sum(cells.fn, cells.tn)));
    for (const [name, text] of Object.entries(this.rates())) this.put(name, text);
    const total = count(totalOf(model, prevalence));
    const told = toldAt(model, prevalence);
    this.put("basis", told === null ? `the ${total} cases of the sample` : `expected among ${total} cases, ${percent(told)} of them positive${prevalence === null ? " by weight" : ""}`);
    this.put("sentence", this.sentence(cells));
    this.put("model-name", short(model.name, 40));
    window.clearTimeout(this.timer);
    // Screen readers hear where the reader stops, not every point on the way.
    this.timer = window.setTimeout(() => this.put("spoken", this.sentence(this.cells())), 600);
  }

  /** Every rate rises or falls with each of the two counts, so corners bound it. */
  private rates(): Record<string, string> {
    const { model, span, skew } = this.store;
    const [a, b] = span.map((index) => confusion(model, index));
    const corners: Rates[] = [];
    for (const { tp } of [a, b]) for (const { fp } of [a, b]) corners.push(rates({ tp, fp, fn: model.nPos - tp, tn: model.nNeg - fp }, skew));
    const out: Record<string, string> = {};
    for (const name of Object.keys(corners[0]) as Array<keyof Rates>) {
      const values = corners.map((corner) => corner[name]);
      const [low, high] = [rate(Math.min(...values)), rate(Math.max(...values))];
      out[name] = low === high ? low : `${low}–${high}`;
    }
    return out;
  }

  private sentence(cells: Record<keyof Confusion, Range>): string {
    const { model, index, prevalence, span } = this.store;
    const total = count(totalOf(model, prevalence));
    const name = short(model.name, 40);
    const said = `At threshold ${this.store.shown}, ${name} calls`;
    if (index === 0) return `${said} no case positive and misses all ${this.figure(cells.fn)}.`;
    const called = this.figure([cells.tp[0] + cells.fp[0], cells.tp[1] + cells.fp[1]]);
    const wrong = cells.fp[1] === 0 ? "none wrongly" : `${this.figure(cells.fp)} wrongly`;
    const missed = cells.fn[1] === 0 ? "It misses none." : `It misses ${this.figure(cells.fn)}.`;
    const loose = span[0] === span[1] ? "" : ` Between two points that were kept: ${count(model.t.length)} of ${count(model.nPoints)}.`;
    return `${said} ${called} of ${total} cases positive: ${this.figure(cells.tp)} rightly, ${wrong}. ${missed}${loose}`;
  }

  private put(name: string, text: string): void {
    this.outlets.put(name, text);
  }
}
