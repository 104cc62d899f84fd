// The confusion matrix with its metrics and their intervals, and the same in a sentence; everywhere in one unit of counts.
import { count, percent, rate, short } from "./format";
import type { Limits } from "./intervals";
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

  /** A count; the middle of a range, marked as such, if points were left out. */
  private figure([low, high]: Range): string {
    return count(low) === count(high) ? count(low) : `≈${count(Math.round((low + high) / 2))}`;
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
    for (const [name, value] of Object.entries(cells)) {
      this.put(name, this.figure(value));
    }
    // Numbers of many digits are set smaller.
    this.bars[0]?.closest(".matrix")?.classList.toggle("long", this.figure(cells.fp).length > 3 || Object.values(cells).some((value) => this.figure(value).length > 6));
    for (const bar of this.bars) {
      const name = bar.dataset.bar as keyof Confusion;
      const side = name === "tp" || name === "fn" ? cells.tp[0] + cells.fn[1] : cells.fp[0] + cells.tn[1];
      bar.style.setProperty("width", `${((100 * cells[name][0]) / side).toFixed(2)}%`);
    }
    const sum = (a: Range, b: Range): Range => [a[0] + b[0], a[1] + b[1]];
    const [positives, negatives] = [cells.tp[0] + cells.fn[1], cells.fp[0] + cells.tn[1]];
    this.put("actual-pos", count(positives));
    this.put("actual-neg", count(negatives));
    this.put("called-pos", this.figure(sum(cells.tp, cells.fp)));
    this.put("called-neg", this.figure(sum(cells.fn, cells.tn)));
    const values = this.rates();
    for (const [name, text] of Object.entries(values)) this.put(name, text);
    this.intervals(positives, negatives, values);
    const total = count(totalOf(model, prevalence));
    const told = toldAt(model, prevalence);
    const whom = told === null ? `the ${total} ${store.report.cases} of the sample` : `expected among ${total} ${store.report.cases}, ${percent(told)} of them positive${prevalence === null ? " by weight" : ""}`;
    this.put("basis", `${whom}${store.limits ? `, with ${this.level} intervals` : ""}`);
    this.put("sentence", this.sentence(cells));
    this.put("model-name", short(model.name, 40));
    this.put("threshold-shown", store.shown);
    window.clearTimeout(this.timer);
    // Screen readers hear where the reader stops, not every point on the way.
    this.timer = window.setTimeout(() => this.put("spoken", this.sentence(this.cells())), 600);
  }

  private get level(): string {
    return `${Number((this.store.report.level * 100).toPrecision(4))}%`;
  }

  /** Intervals of counts are those of their rates, for as many positives and negatives. */
  private intervals(positives: number, negatives: number, values: Record<string, string>): void {
    const found = this.store.limits;
    const say = (name: string, text: string): void => {
      longest = Math.max(longest, text.length);
      this.put(`${name}-limits`, text);
    };
    let longest = 0;
    // Cases of the sample are whole; of those to expect, a few have decimals.
    const whole = Number.isInteger(positives) && Number.isInteger(negatives);
    const kinds: Array<[keyof Confusion, Limits | undefined, number]> = [
      ["tp", found?.recall, positives],
      ["fn", found && [1 - found.recall[1], 1 - found.recall[0]], positives],
      ["fp", found?.fpr, negatives],
      ["tn", found?.specificity, negatives],
    ].map(([name, limits, size]) => [name, limits ?? undefined, size] as [keyof Confusion, Limits | undefined, number]);
    for (const [name, limits, size] of kinds) say(name, limits ? between(limits.map((limit) => count(whole || limit * size >= 10 ? Math.round(limit * size) : Number((limit * size).toPrecision(2))))) : "");
    for (const name of ["recall", "precision", "fpr", "f1", "specificity", "npv", "alertRate", "youden"] as Array<keyof Rates>) {
      say(name, found && values[name] !== "–" ? between(found[name].map((limit) => (limit < 0 ? `−${rate(-limit)}` : rate(limit)))) : "");
    }
    this.outlets.root.querySelector(".rates")?.classList.toggle("long", longest > 13);
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
      out[name] = low === high ? low : `≈${rate((Math.min(...values) + Math.max(...values)) / 2)}`;
    }
    return out;
  }

  private sentence(cells: Record<keyof Confusion, Range>): string {
    const { model, index, prevalence, span, report } = this.store;
    const total = count(totalOf(model, prevalence));
    const said = `At threshold ${this.store.shown}, ${short(model.name, 40)} predicts`;
    if (index === 0) return `${said} no case to be positive and misses all ${this.figure(cells.fn)}.`;
    const called = this.figure([cells.tp[0] + cells.fp[0], cells.tp[1] + cells.fp[1]]);
    const wrong = cells.fp[1] === 0 ? "none wrongly" : `${this.figure(cells.fp)} wrongly`;
    const missed = cells.fn[1] === 0 ? "It misses none." : `It misses ${this.figure(cells.fn)}.`;
    const off = ([low, high]: Range): string => count(Math.ceil((high - low) / 2));
    const loose = span[0] === span[1] ? "" : ` Of ${count(model.nPoints)} thresholds ${count(model.t.length)} are in the page: found may be off by ${off(cells.tp)}, false alarms by ${off(cells.fp)}.`;
    return `${said} ${called} of ${total} ${report.cases} to be positive: ${this.figure(cells.tp)} rightly, ${wrong}. ${missed}${loose}`;
  }

  private put(name: string, text: string): void {
    this.outlets.put(name, text);
  }
}

const between = ([low, high]: string[]): string => (low === high ? low : `${low}–${high}`);
