// The confusion matrix with its rates, and the same in a sentence.
import { count, percent, rate, short } from "./format";
import { expected, rates } from "./measures";
import type { Store } from "./store";

export class ConfusionPanel {
  private timer = 0;

  constructor(
    private root: ParentNode,
    private store: Store,
  ) {}

  render(): void {
    const { store } = this;
    const { model, index, skew, prevalence } = store;
    const cells = expected(model, index, prevalence);
    const total = model.nPos + model.nNeg;
    for (const [name, value] of Object.entries(cells)) {
      this.put(name, prevalence === null && !model.weighted ? count(value) : count(Math.round(value * 10) / 10));
      const side = name === "tp" || name === "fn" ? cells.tp + cells.fn : cells.fp + cells.tn;
      this.each(`[data-bar="${name}"]`, (node) => node.style.setProperty("width", `${(100 * value) / side}%`));
    }
    this.put("actual-pos", count(Math.round((cells.tp + cells.fn) * 10) / 10));
    this.put("actual-neg", count(Math.round((cells.fp + cells.tn) * 10) / 10));
    this.put("called-pos", count(Math.round((cells.tp + cells.fp) * 10) / 10));
    this.put("called-neg", count(Math.round((cells.fn + cells.tn) * 10) / 10));
    for (const [name, value] of Object.entries(rates(model, index, skew))) this.put(name, rate(value));
    this.put("basis", prevalence === null ? `the ${count(total)} cases of the sample` : `expected among ${count(total)} cases, ${percent(prevalence)} of them positive`);
    this.put("sentence", this.sentence());
    this.put("model-name", short(model.name, 40));
    window.clearTimeout(this.timer);
    // Screen readers hear where the reader stops, not every point on the way.
    this.timer = window.setTimeout(() => this.put("spoken", this.sentence()), 600);
  }

  private sentence(): string {
    const { model, index, prevalence } = this.store;
    const cells = expected(model, index, prevalence);
    const whole = (value: number): string => count(prevalence === null ? value : Math.round(value));
    const total = count(model.nPos + model.nNeg);
    const name = short(model.name, 40);
    if (index === 0) return `At threshold ${this.store.shown}, ${name} calls no case positive and misses all ${whole(cells.fn)}.`;
    const wrong = cells.fp === 0 ? "none wrongly" : `${whole(cells.fp)} wrongly`;
    const missed = cells.fn === 0 ? "It misses none." : `It misses ${whole(cells.fn)}.`;
    return `At threshold ${this.store.shown}, ${name} calls ${whole(cells.tp + cells.fp)} of ${total} cases positive: ${whole(cells.tp)} rightly, ${wrong}. ${missed}`;
  }

  private put(name: string, text: string): void {
    this.each(`[data-out="${name}"]`, (node) => {
      if (node.textContent !== text) node.textContent = text;
    });
  }

  private each(selector: string, visit: (node: HTMLElement) => void): void {
    this.root.querySelectorAll<HTMLElement>(selector).forEach(visit);
  }
}
