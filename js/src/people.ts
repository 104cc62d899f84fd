// Two hundred people at the chosen share of positives: who is found, missed, alarmed for nothing, left alone.
import { select, type Selection } from "d3-selection";
import { count } from "./format";
import { expected, totalOf, type Confusion } from "./measures";
import type { Outlets } from "./outlets";
import { room } from "./room";
import type { Store } from "./store";

const DOTS = 200;
const KINDS: Array<keyof Confusion> = ["tp", "fn", "fp", "tn"];

export class PeopleView {
  readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private width = 0;
  private height = 0;
  private people: Array<{ dot: SVGCircleElement; kind: string }> = [];

  constructor(
    private outlets: Outlets,
    private host: HTMLElement,
    private store: Store,
  ) {
    this.svg = select(host).append("svg").attr("class", "chart live people").attr("role", "img").attr("aria-label", "Two hundred people at this threshold") as unknown as typeof this.svg;
  }

  resize(): void {
    const [width, height] = room(this.host, Math.max(150, this.host.clientWidth * 0.42), 260);
    if (!width || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    this.svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height).selectAll("*").remove();
    this.people = [];
    this.render();
  }

  /** Whole dots that add up to 200: each kind its share, the largest remainders rounded up. */
  private dots(): Record<string, number> {
    const { model, index, prevalence } = this.store;
    const cells = expected(model, index, prevalence);
    const scale = DOTS / totalOf(model, prevalence);
    const exact = KINDS.map((kind) => cells[kind] * scale);
    const whole = exact.map(Math.floor);
    const order = exact.map((value, i) => [value - whole[i], i]).sort((a, b) => b[0] - a[0]);
    const left = DOTS - whole.reduce((a, b) => a + b, 0);
    for (let k = 0; k < left; k++) whole[order[k][1]]++;
    return Object.fromEntries(KINDS.map((kind, i) => [kind, whole[i]]));
  }

  render(): void {
    if (!this.width) return;
    const { svg, width, height } = this;
    const dots = this.dots();
    // As many columns as make the cells about square.
    let columns = 10;
    while (columns < DOTS && width / columns > height / Math.ceil(DOTS / columns)) columns++;
    const rows = Math.ceil(DOTS / columns);
    const size = Math.min(width / columns, height / rows);
    const radius = size * 0.36;
    for (let k = this.people.length; k < DOTS; k++) {
      // Column by column, so that a kind is one block.
      const [column, row] = [Math.floor(k / rows), k % rows];
      const dot = svg.append("circle").attr("cx", (column + 0.5) * size).attr("cy", (row + 0.5) * size).node() as SVGCircleElement;
      this.people.push({ dot, kind: "" });
    }
    let k = 0;
    for (const kind of KINDS) {
      for (let left = dots[kind]; left > 0; left--) {
        const person = this.people[k++];
        if (person.kind === kind) continue;
        person.kind = kind;
        person.dot.setAttribute("class", `person ${kind}`);
        person.dot.setAttribute("r", String(kind === "tn" ? radius * 0.45 : radius));
      }
    }
    const { model, index, prevalence } = this.store;
    const cells = expected(model, index, prevalence);
    const scale = DOTS / totalOf(model, prevalence);
    const told = (value: number): string => count(value * scale);
    for (const kind of KINDS) this.outlets.put(`people-${kind}`, told(cells[kind]));
    const rare = Math.min(cells.tp + cells.fn, cells.fp + cells.tn) * scale;
    const whom = cells.tp + cells.fn < cells.fp + cells.tn ? "positive" : "negative";
    const note = rare < 0.95 ? `One in ${count(Math.round(DOTS / rare))} is ${whom}: among two hundred people there is seldom one.` : "";
    this.outlets.put("people-note", note);
    svg.attr("aria-label", `Of 200 people ${told(cells.tp)} are found, ${told(cells.fn)} missed, ${told(cells.fp)} alarmed for nothing and ${told(cells.tn)} left alone`);
  }
}
