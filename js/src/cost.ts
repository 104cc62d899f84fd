// What a threshold costs per day, and the one that costs least.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { count, money, threshold } from "./format";
import { alertsPerDay, cheapest, costPerDay, type Costs } from "./measures";
import { LiveChart } from "./live";
import type { Outlets } from "./outlets";
import type { Plane } from "./plane";
import type { Store } from "./store";

const MARGIN = { top: 30, right: 18, bottom: 40, left: 58 };
const HEIGHT = 230;

export class CostPanel extends LiveChart {
  private best = 0;
  /** Pixels of every point, for the mark that moves along them. */
  private pixels: (index: number) => [number, number] = () => [0, 0];

  constructor(
    outlets: Outlets,
    host: HTMLElement,
    store: Store,
    private planes: Plane[],
  ) {
    super(outlets, host, store, "Expected cost per day by alerts per day", HEIGHT, MARGIN);
    this.listen();
  }

  /** Pin the threshold that raises as many alerts. */
  protected dragged(part: number): void {
    const { model, share, costs } = this.store;
    const alerts = costs.perDay * part;
    let [low, high] = [0, model.t.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (alertsPerDay(model, middle, share, costs) <= alerts) low = middle;
      else high = middle - 1;
    }
    this.store.pinIndex(low);
  }

  private listen(): void {
    const { store } = this;
    const { root } = this.outlets;
    const field = (name: keyof Costs, least: number): void => {
      const input = root.querySelector<HTMLInputElement>(`[data-in="${name}"]`);
      input?.addEventListener("input", () => {
        const empty = input.value.trim() === "";
        const value = Number(input.value);
        const fine = (empty && name === "budget") || (!empty && Number.isFinite(value) && value >= least);
        input.setAttribute("aria-invalid", String(!fine));
        if (!fine) return;
        store.layers.isocost = true;
        store.spend({ [name]: empty ? null : value } as Partial<Costs>);
      });
    };
    field("miss", 0);
    field("alarm", 0);
    field("perDay", 0);
    field("budget", 0);
    root.querySelector("[data-do='use-best']")?.addEventListener("click", () => store.pinIndex(this.best));
  }

  /** Find the cheapest point, before anything that shows it is drawn. */
  find(): void {
    const { model, share, costs } = this.store;
    this.best = cheapest(model, share, costs);
    const slope = costs.miss > 0 ? ((1 - share) / share) * (costs.alarm / costs.miss) : Infinity;
    for (const plane of this.planes) plane.isocost = { index: this.best, slope };
  }

  /** The same in words. */
  tell(): void {
    const { store, outlets } = this;
    const { model, share, costs } = store;
    const put = (name: string, text: string): void => outlets.put(name, text);
    put("best-threshold", threshold(model.label[this.best]));
    put("best-cost", money(costPerDay(model, this.best, share, costs)));
    put("best-alerts", count(alertsPerDay(model, this.best, share, costs)));
    const { budget } = costs;
    const here = alertsPerDay(model, store.index, share, costs);
    put("best-within", budget === null ? "" : ` with at most ${count(budget)} alerts a day`);
    put("here-over", budget !== null && here > budget ? `, ${count(here - budget)} more than allowed` : "");
    put("here-cost", money(costPerDay(model, store.index, share, costs)));
    put("here-alerts", count(here));
  }

  render(): void {
    if (!this.width) return;
    const { svg, width, store } = this;
    const { model, share, costs } = store;
    this.clear();
    const points = model.t.map((_, i): [number, number] => [alertsPerDay(model, i, share, costs), costPerDay(model, i, share, costs)]);
    const top = Math.max(...points.map(([, cost]) => cost)) || 1;
    const x = scaleLinear().domain([0, costs.perDay || 1]).range([MARGIN.left, width - MARGIN.right]);
    const y = scaleLinear().domain([0, top]).nice(4).range([this.height - MARGIN.bottom, MARGIN.top]);
    for (const value of y.ticks(4)) this.level(y(value), money(value));
    for (const value of x.ticks(5)) this.tick(x(value), count(value));
    this.axes("Cost per day", "Alerts per day →");
    if (costs.budget !== null && costs.budget < costs.perDay) {
      const left = x(costs.budget);
      svg.append("rect").attr("class", "beyond").attr("x", left).attr("y", MARGIN.top).attr("width", width - MARGIN.right - left).attr("height", this.height - MARGIN.top - MARGIN.bottom);
    }
    const path = line<[number, number]>().x(([a]) => x(a)).y(([, c]) => y(c)).digits(1);
    svg.append("path").attr("class", `curve active s${store.active % 8}`).attr("d", path(points));
    this.pixels = (index) => [x(points[index][0]), y(points[index][1])];
    const [bx, by] = this.pixels(this.best);
    svg.append("path").attr("class", "best").attr("transform", `translate(${bx},${by})`).attr("d", "M0,-7L7,0L0,7L-7,0Z");
    this.mark = svg.append("g");
    // Beside the lowest point, off the curve: to the right the costs rise above it, to the left where the right has no room.
    const right = bx < width - MARGIN.right - 110;
    const low = by + 16 < this.height - MARGIN.bottom - 2;
    const [tx, ty] = low ? [bx + (right ? 8 : -8), by + 16] : [bx + (right ? 12 : -12), by - 12];
    svg.append("text").attr("class", "callout").attr("x", tx).attr("y", ty).attr("text-anchor", right ? "start" : "end").text(`cheapest${costs.budget === null ? "" : " allowed"}: ${money(points[this.best][1])}`);
    this.drawCursor();
  }

  drawCursor(): void {
    if (!this.width) return;
    const [cx, cy] = this.pixels(this.store.index);
    this.mark.selectAll("*").remove();
    this.dot(cx, cy);
  }
}
