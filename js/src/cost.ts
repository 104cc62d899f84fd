// What a threshold costs per day, and the one that costs least.
import { scaleLinear } from "d3-scale";
import { select, type Selection } from "d3-selection";
import { line } from "d3-shape";
import { draggable } from "./drag";
import { count, money, threshold } from "./format";
import { alertsPerDay, cheapest, costPerDay, type Costs } from "./measures";
import type { Outlets } from "./outlets";
import type { Plane } from "./plane";
import { room } from "./room";
import type { Store } from "./store";

const MARGIN = { top: 30, right: 18, bottom: 40, left: 58 };
const HEIGHT = 230;

export class CostPanel {
  readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private width = 0;
  private height = HEIGHT;
  private best = 0;
  private mark: Selection<SVGGElement, unknown, null, undefined>;
  /** Pixels of every point, for the mark that moves along them. */
  private pixels: (index: number) => [number, number] = () => [0, 0];

  constructor(
    private outlets: Outlets,
    private host: HTMLElement,
    private store: Store,
    private planes: Plane[],
  ) {
    this.svg = select(host).append("svg").attr("class", "chart live").attr("role", "img").attr("aria-label", "Expected cost per day by alerts per day") as unknown as typeof this.svg;
    this.mark = this.svg.append("g");
    draggable(this.svg.node() as SVGSVGElement, (x) => {
      // The threshold that raises as many alerts.
      const { model, share, costs } = store;
      const wide = this.width - MARGIN.right - MARGIN.left;
      const alerts = (costs.perDay * (Math.max(MARGIN.left, Math.min(this.width - MARGIN.right, x)) - MARGIN.left)) / wide;
      let [low, high] = [0, model.t.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (alertsPerDay(model, middle, share, costs) <= alerts) low = middle;
        else high = middle - 1;
      }
      store.pinIndex(low);
    });
    this.listen();
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

  resize(): void {
    const [width, height] = room(this.host, HEIGHT, HEIGHT);
    if (!width || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    this.render();
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
    svg.attr("viewBox", `0 0 ${width} ${this.height}`).attr("width", width).attr("height", this.height);
    svg.selectAll("*").remove();
    const points = model.t.map((_, i): [number, number] => [alertsPerDay(model, i, share, costs), costPerDay(model, i, share, costs)]);
    const top = Math.max(...points.map(([, cost]) => cost)) || 1;
    const x = scaleLinear().domain([0, costs.perDay || 1]).range([MARGIN.left, width - MARGIN.right]);
    const y = scaleLinear().domain([0, top]).nice(4).range([this.height - MARGIN.bottom, MARGIN.top]);
    for (const value of y.ticks(4)) {
      svg.append("path").attr("class", "grid").attr("d", `M${MARGIN.left},${y(value)}H${width - MARGIN.right}`);
      svg.append("text").attr("class", "tick").attr("x", MARGIN.left - 8).attr("y", y(value) + 4).attr("text-anchor", "end").text(money(value));
    }
    for (const value of x.ticks(5)) {
      svg.append("text").attr("class", "tick").attr("x", x(value)).attr("y", this.height - MARGIN.bottom + 18).attr("text-anchor", "middle").text(count(value));
    }
    svg.append("text").attr("class", "axis-label").attr("x", width - MARGIN.right).attr("y", this.height - 5).attr("text-anchor", "end").text("Alerts per day →");
    svg.append("text").attr("class", "axis-label").attr("x", 0).attr("y", 12).text("Cost per day");
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
    this.mark.append("circle").attr("class", "halo").attr("cx", cx).attr("cy", cy).attr("r", 8);
    this.mark.append("circle").attr("class", `dot f${this.store.active % 8}`).attr("cx", cx).attr("cy", cy).attr("r", 5.5);
  }
}
