// So many cases at the chosen prevalence, as dots: found, missed, false alarms, cleared.
import { select, type Selection } from "d3-selection";
import { count } from "./format";
import { expected, totalOf, type Confusion } from "./measures";
import type { Outlets } from "./outlets";
import { room } from "./room";
import type { Store } from "./store";

/** Among how many cases: the fewest with two of the rarer class. */
const SIZES = [200, 1_000, 10_000, 100_000];
const FEWEST = 1.95;
const MOST_DOTS = 1_000;
const KINDS: Array<keyof Confusion> = ["tp", "fn", "fp", "tn"];

/** Whole numbers of the four kinds that add up to the size: the largest remainders are rounded up. */
export function wholeCells(store: Store, size: number): Record<keyof Confusion, number> {
  const { model, index, prevalence } = store;
  const cells = expected(model, index, prevalence);
  const scale = size / totalOf(model, prevalence);
  const out = { tp: 0, fn: 0, fp: 0, tn: 0 };
  const share = (cells.tp + cells.fn) * scale;
  const positives = Math.round(share);
  for (const [kinds, all] of [[["tp", "fn"], positives], [["fp", "tn"], size - positives]] as Array<[Array<keyof Confusion>, number]>) {
    const [first, second] = kinds;
    const part = cells[first] + cells[second] > 0 ? cells[first] / (cells[first] + cells[second]) : 0;
    out[first] = Math.round(part * all);
    out[second] = all - out[first];
  }
  return out;
}

/** Among how many cases the dots are drawn at the current prevalence. */
export function sizeOf(store: Store): number {
  const rare = Math.min(store.share, 1 - store.share);
  return SIZES.find((size) => size * rare >= FEWEST) ?? SIZES[SIZES.length - 1];
}

export class PeopleView {
  readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private width = 0;
  private height = 0;
  private laid = 0;
  private dots: Array<{ node: SVGCircleElement; kind: string }> = [];

  constructor(
    private outlets: Outlets,
    private host: HTMLElement,
    private store: Store,
  ) {
    this.svg = select(host).append("svg").attr("class", "chart live people").attr("role", "img").attr("aria-label", "Cases at this threshold") as unknown as typeof this.svg;
  }

  resize(): void {
    const [width, height] = room(this.host, Math.max(150, this.host.clientWidth * 0.42), 260);
    if (!width || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    this.svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    this.clear();
    this.render();
  }

  private clear(): void {
    this.svg.selectAll("*").remove();
    this.dots = [];
    this.laid = 0;
  }

  /** How many dots of each kind, and how many cases a dot of the false alarms stands for. */
  private counts(size: number, cells: Record<string, number>): [Record<string, number>, number] {
    if (size <= MOST_DOTS) return [cells, 1];
    // Of many thousand cases those that are cleared have no dots.
    const room = MOST_DOTS - cells.tp - cells.fn;
    let each = 1;
    while (cells.fp / each > Math.max(room, 100)) each *= 10;
    return [{ tp: Math.min(cells.tp, MOST_DOTS), fn: Math.min(cells.fn, MOST_DOTS), fp: Math.ceil(cells.fp / each), tn: 0 }, each];
  }

  render(): void {
    if (!this.width) return;
    const { svg, width, height, store, outlets } = this;
    const size = sizeOf(store);
    const cells = wholeCells(store, size);
    const [dots, each] = this.counts(size, cells);
    const total = KINDS.reduce((sum, kind) => sum + dots[kind], 0);
    // Room for as many dots as there may be, so that they stay while the threshold moves.
    const places = size <= MOST_DOTS ? size : Math.max(64, 2 ** Math.ceil(Math.log2(total + 1)));
    if (places !== this.laid) this.lay(places, width, height);
    let k = 0;
    for (const kind of KINDS) {
      for (let left = dots[kind]; left > 0 && k < this.dots.length; left--) this.paint(this.dots[k++], kind);
    }
    for (; k < this.dots.length; k++) this.paint(this.dots[k], "none");
    for (const kind of KINDS) outlets.put(`people-${kind}`, count(cells[kind]));
    const { cases } = store.report;
    outlets.put("people-title", `Of ${count(size)} ${cases}`);
    const rare = size * Math.min(store.share, 1 - store.share);
    const notes = [
      rare < FEWEST ? `Fewer than two of ${count(size)} ${cases} are ${store.share < 0.5 ? "positive" : "negative"}.` : "",
      size > MOST_DOTS ? "The cleared ones are not drawn." : "",
      each > 1 ? `A dot stands for ${count(each)} false alarms.` : "",
    ];
    outlets.put("people-note", notes.filter(Boolean).join(" "));
    svg.attr("aria-label", `Of ${count(size)} ${cases} ${count(cells.tp)} are found, ${count(cells.fn)} missed, ${count(cells.fp)} false alarms and ${count(cells.tn)} cleared`);
  }

  private paint(dot: { node: SVGCircleElement; kind: string }, kind: string): void {
    if (dot.kind === kind) return;
    dot.kind = kind;
    dot.node.setAttribute("class", `person ${kind}`);
  }

  /** Place the dots column by column, so that a kind is one block. */
  private lay(places: number, width: number, height: number): void {
    this.clear();
    let columns = 10;
    while (columns < places && width / columns > height / Math.ceil(places / columns)) columns++;
    const rows = Math.ceil(places / columns);
    const cell = Math.min(width / columns, height / rows);
    this.svg.style("--dot", `${(cell * 0.36).toFixed(2)}px`);
    for (let k = 0; k < places; k++) {
      const [column, row] = [Math.floor(k / rows), k % rows];
      const node = this.svg.append("circle").attr("cx", (column + 0.5) * cell).attr("cy", (row + 0.5) * cell).attr("r", cell * 0.36).node() as SVGCircleElement;
      this.dots.push({ node, kind: "" });
    }
    this.laid = places;
  }
}
