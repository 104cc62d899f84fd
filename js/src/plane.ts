// A plane from 0 to 1 both ways, with curves, a cursor, log axes and zoom: ROC space and PR space are two of them.
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { pointer, select, type Selection } from "d3-selection";
import type { Model } from "./data";
import { rate, short, threshold as written } from "./format";
import { placeLabels, TALL } from "./labels";
import { dashOf } from "./lines";
import { precisionAt, recallAt, sampleShare, skewOf } from "./measures";
import { curvePath, place, type Scale, type Space } from "./paths";
import { room } from "./room";
import type { Store } from "./store";
import { drawUnderlay, noteBox } from "./underlay";

type Layer = Selection<SVGGElement, unknown, null, undefined>;
type AxisScale = ScaleContinuousNumeric<number, number>;
type Range = [number, number];

const MARGIN = { top: 30, right: 16, bottom: 46, left: 46 };
const FULL: Range = [0, 1];
let serial = 0;

export class Plane {
  readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private layers: Record<string, Layer> = {};
  private x: AxisScale = scaleLinear();
  private y: AxisScale = scaleLinear();
  private width = 0;
  private height = 0;
  private log = { x: false, y: false };
  private zoom: { x: Range; y: Range } | null = null;
  private boxing = false;
  /** The cheapest point and the slope of equal cost through it. */
  isocost: { index: number; slope: number } | null = null;
  /** Pixels of every curve that is drawn, by model. */
  private pixels = new Map<number, Array<[number, number]>>();
  /** Pixels of the active model's points, once a pointer asks for them. */
  private points: Array<[number, number]> | null = null;
  private clip = `thr-clip-${++serial}`;

  constructor(
    private host: HTMLElement,
    private space: Space,
    private store: Store,
    private still = false,
  ) {
    this.svg = select(host)
      .append("svg")
      .attr("class", "chart live")
      .attr("tabindex", 0)
      .attr("role", "slider")
      .attr("aria-label", space === "roc" ? "Threshold along the ROC curve" : "Threshold along the precision-recall curve")
      .attr("aria-orientation", "horizontal")
      .attr("aria-valuemin", 0) as unknown as typeof this.svg;
    this.svg.append("clipPath").attr("id", this.clip).append("rect");
    for (const name of ["axes", "under", "curves", "legend", "over", "cross", "cursor", "ghost"]) {
      this.layers[name] = this.svg.append("g").attr("class", name);
    }
    if (!still) this.listen();
  }

  /** Show the same part of the plane on the same axes as another. */
  like(other: Plane): void {
    this.log = { ...other.log };
    this.zoom = other.zoom;
    this.isocost = other.isocost;
  }

  // Size and scales

  resize(): void {
    const [width, height] = room(this.host, this.host.clientWidth * 0.95, 540);
    if (!width || (width === this.width && height === this.height)) return;
    this.size(width, height);
  }

  size(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    this.render();
  }

  setLog(axis: "x" | "y", on: boolean): void {
    this.log[axis] = on;
    this.zoom = null;
    this.render();
  }

  setBoxing(on: boolean): void {
    this.boxing = on;
    this.svg.classed("boxing", on);
  }

  reset(): void {
    this.zoom = null;
    this.render();
  }

  /** Zoom by a factor around a point of the plane, or around the current operating point. */
  zoomBy(factor: number, around?: [number, number]): void {
    const centre = around ?? this.where(this.store.model, this.store.index, this.store.skew);
    const domains = (["x", "y"] as const).map((axis, k): Range => {
      const scale = axis === "x" ? this.x : this.y;
      const [low, high] = scale.range();
      const at = scale(Math.max(centre[k], 1e-12));
      const ends = [low, high].map((end) => scale.invert(at + (end - at) / factor));
      const [floor, top] = this.limits(axis);
      return [Math.max(floor, ends[0]), Math.min(top, ends[1])];
    });
    const whole = domains.every(([a, b], k) => {
      const [floor, top] = this.limits(k === 0 ? "x" : "y");
      return a <= floor && b >= top;
    });
    this.zoom = whole ? null : { x: domains[0], y: domains[1] };
    this.render();
  }

  private limits(axis: "x" | "y"): Range {
    if (!this.log[axis]) return FULL;
    const models = this.store.report.models;
    let least: number;
    if (this.space === "roc") least = Math.min(...models.map((m) => 1 / (axis === "x" ? m.nNeg : m.nPos)));
    else if (axis === "x") least = Math.min(...models.map((m) => 1 / m.nPos));
    else least = Math.min(...models.map((m) => this.store.prevalence ?? sampleShare(m)));
    return [10 ** Math.floor(Math.log10(Math.max(least, 1e-9) * 0.999)), 1];
  }

  private scales(): void {
    const make = (axis: "x" | "y", range: Range): AxisScale => {
      const domain = this.zoom?.[axis] ?? this.limits(axis);
      const scale = (this.log[axis] ? scaleLog() : scaleLinear()).domain(domain).range(range);
      return this.log[axis] ? scale.clamp(this.zoom === null) : scale;
    };
    this.x = make("x", [MARGIN.left, this.width - MARGIN.right]);
    this.y = make("y", [this.height - MARGIN.bottom, MARGIN.top]);
    this.sx = quick(this.x, this.log.x);
    this.sy = quick(this.y, this.log.y);
  }

  private sx: Scale = (value) => value;
  private sy: Scale = (value) => value;

  private where(model: Model, index: number, skew: number): [number, number] {
    return place(this.space, model, model.tp[index], model.fp[index], skew);
  }

  // Drawing

  /** Draw everything; names may wait for a later frame. */
  render(named = true): void {
    if (!this.width) return;
    this.scales();
    const { svg, width, height } = this;
    svg.attr("viewBox", `0 0 ${width} ${height}`).attr("width", width).attr("height", height);
    svg
      .select(`#${this.clip} rect`)
      .attr("x", MARGIN.left - 1)
      .attr("y", MARGIN.top - 1)
      .attr("width", width - MARGIN.left - MARGIN.right + 2)
      .attr("height", height - MARGIN.top - MARGIN.bottom + 2);
    this.drawAxes();
    this.drawUnder();
    this.drawCurves();
    this.drawOver();
    if (this.still) return;
    if (named) this.drawLegend();
    this.drawCross();
    this.drawCursor();
  }

  private drawAxes(): void {
    const { width, height } = this;
    const layer = this.layers.axes;
    layer.selectAll("*").remove();
    const count = width < 380 ? 4 : 6;
    const format = (value: { valueOf(): number }): string => String(Number(value.valueOf().toPrecision(3)));
    const bottom = axisBottom(this.x).tickSize(-(height - MARGIN.top - MARGIN.bottom)).tickPadding(8).tickFormat(format);
    const left = axisLeft(this.y).tickSize(-(width - MARGIN.left - MARGIN.right)).tickPadding(8).tickFormat(format);
    if (this.log.x) bottom.tickValues(this.decades(this.x));
    else bottom.ticks(count);
    if (this.log.y) left.tickValues(this.decades(this.y));
    else left.ticks(count);
    layer.append("g").attr("class", "axis").attr("transform", `translate(0,${height - MARGIN.bottom})`).call(bottom);
    layer.append("g").attr("class", "axis").attr("transform", `translate(${MARGIN.left},0)`).call(left);
    layer.selectAll("text").attr("class", "tick").attr("font-size", null).attr("font-family", null);
    layer.selectAll("g.axis").attr("font-size", null).attr("font-family", null).attr("fill", null);
    const names = this.space === "roc" ? ["False positive rate", "Recall (true positive rate)"] : ["Recall (true positive rate)", "Precision"];
    const logged = (axis: "x" | "y"): string => (this.log[axis] ? ", log scale" : "");
    layer
      .append("text")
      .attr("class", "axis-label")
      .attr("x", width - MARGIN.right)
      .attr("y", height - 6)
      .attr("text-anchor", "end")
      .text(`${names[0]}${logged("x")} →`);
    layer
      .append("text")
      .attr("class", "axis-label")
      .attr("x", 0)
      .attr("y", 12)
      .text(`↑ ${names[1]}${logged("y")}`);
  }

  private decades(scale: AxisScale): number[] {
    const [low, high] = scale.domain();
    const all: number[] = [];
    for (let k = Math.ceil(Math.log10(low) - 1e-9); k <= Math.log10(high) + 1e-9; k++) all.push(10 ** k);
    return all.length >= 2 ? all : scale.ticks(5);
  }

  private drawUnder(): void {
    const layer = this.layers.under;
    layer.selectAll("*").remove();
    const clipped = layer.append("g").attr("clip-path", `url(#${this.clip})`);
    drawUnderlay(clipped, this.space, this.store, {
      x: this.sx,
      y: this.sy,
      left: MARGIN.left,
      right: this.width - MARGIN.right,
      top: MARGIN.top,
      bottom: this.height - MARGIN.bottom,
      domain: this.x.domain() as Range,
      straight: !this.log.x && !this.log.y,
      whole: !this.zoom,
    });
  }

  private drawCurves(): void {
    const layer = this.layers.curves;
    layer.selectAll("*").remove();
    layer.attr("clip-path", `url(#${this.clip})`);
    const { report, active, prevalence, layers } = this.store;
    const bent = this.space === "pr" || this.log.x || this.log.y;
    this.pixels.clear();
    const order = this.store.visible.filter((i) => i !== active).reverse();
    for (const i of [...order, active]) {
      const model = report.models[i];
      const skew = skewOf(model, prevalence);
      const best = this.space === "roc" ? layers.hull : layers.achievable;
      if (best && i === active) {
        const hull = curvePath(this.space, model, model.hull, skew, this.sx, this.sy, bent);
        layer.append("path").attr("class", `hull s${i % 8}`).attr("d", hull.d);
        for (const k of model.hull.length < 80 ? model.hull : []) {
          const [u, v] = this.where(model, k, skew);
          layer.append("circle").attr("class", `vertex s${i % 8}`).attr("cx", this.sx(u)).attr("cy", this.sy(v)).attr("r", 2.4);
        }
      }
      const curve = curvePath(this.space, model, null, skew, this.sx, this.sy, bent);
      this.pixels.set(i, curve.points);
      layer
        .append("path")
        .attr("class", `curve s${i % 8} ${dashOf(i)}${i === active ? " active" : ""}`)
        .attr("data-model", i)
        .attr("d", curve.d);
    }
    this.points = null;
  }

  /** Names stand beside their curves, where they cover none; the table of models has them all. */
  drawLegend(): void {
    if (!this.width) return;
    const layer = this.layers.legend;
    layer.selectAll("*").remove();
    const { store } = this;
    const key = this.space === "roc" ? "roc_auc" : "interpolated";
    const [left, right] = this.x.range();
    const [bottom, top] = this.y.range();
    const wanted = [store.active, ...store.visible.filter((i) => i !== store.active)].slice(0, 8);
    const named = wanted.map((i) => ({ i, name: short(store.report.models[i].name, 18), value: rate(store.area(i, key)[0]) }));
    // Letters are larger in a presentation.
    const size = this.host.closest(".presenting") ? 17 / 13 : 1;
    const wide = named.map(({ name, value }) => ((name.length + value.length) * 6.7 + 8) * size);
    const chance: Array<[number, number]> = this.space === "roc" ? [[this.sx(0), this.sy(0)], [this.sx(1), this.sy(1)]] : [[left, this.sy(store.share)], [right, this.sy(store.share)]];
    const frame = { left, right, top, bottom };
    const places = placeLabels(wanted.map((i) => this.pixels.get(i) ?? []), [...this.pixels.values(), chance], wide, frame, store.layers.chance ? [noteBox(this.space, frame, this.sx(0.63), this.sy(this.space === "roc" ? 0.63 : store.share))] : [], TALL * size);
    named.forEach(({ i, name, value }, k) => {
      const place = places[k];
      if (!place) return;
      const { at, leader } = place;
      if (leader) {
        const [from, to] = leader;
        layer.append("path").attr("class", `leader s${i % 8}`).attr("d", `M${from.map((v) => v.toFixed(1))}L${to.map((v) => v.toFixed(1))}`);
      }
      const text = layer
        .append("text")
        .attr("class", `legend t${i % 8}${i === store.active ? " active" : ""}`)
        .attr("x", at[0])
        .attr("y", at[1])
        .attr("data-model", i)
        .on("click", () => store.choose(i));
      text.append("tspan").text(name);
      text.append("tspan").attr("class", "value").attr("dx", 6).text(value);
      text.append("title").text(`${store.report.models[i].name.slice(0, 300)}: area ${rate(store.area(i, key)[0], 4)}`);
    });
  }

  /** Every model at the place on the horizontal axis where the pointer is. */
  drawCross(): void {
    const layer = this.layers.cross;
    layer.selectAll("*").remove();
    const { cross, near, report, prevalence, active } = this.store;
    this.svg.selectAll<SVGPathElement, unknown>("path.curve").each(function () {
      this.classList.toggle("near", Number(this.dataset.model) === near);
    });
    if (!cross || cross.space !== this.space || !this.width) return;
    const [bottom, top] = this.y.range();
    const x = this.sx(cross.x);
    layer.append("path").attr("class", "crosshair").attr("d", `M${x},${top}V${bottom}`);
    for (const i of this.store.visible) {
      if (i === active) continue;
      const model = report.models[i];
      const value = this.space === "roc" ? recallAt(model, cross.x) : precisionAt(model, cross.x, skewOf(model, prevalence));
      layer.append("circle").attr("class", `dot f${i % 8}`).attr("cx", x).attr("cy", this.sy(value)).attr("r", 3.2);
    }
  }

  /** The line of equal cost through the best point. */
  drawOver(): void {
    const layer = this.layers.over;
    layer.selectAll("*").remove();
    if (!this.width || !this.isocost || !this.store.layers.isocost) return;
    layer.attr("clip-path", `url(#${this.clip})`);
    const { store } = this;
    const { index, slope } = this.isocost;
    const [u, v] = this.where(store.model, index, store.skew);
    if (this.space === "roc" && Number.isFinite(slope)) {
      const steps = 120;
      const from = this.log.x ? Math.log10(this.limits("x")[0]) : 0;
      const points = Array.from({ length: steps + 1 }, (_, i) => {
        const fpr = this.log.x ? 10 ** (from * (1 - i / steps)) : i / steps;
        return `${this.sx(fpr).toFixed(1)},${this.sy(v + slope * (fpr - u)).toFixed(1)}`;
      });
      layer.append("path").attr("class", "isocost").attr("d", "M" + points.join("L"));
    }
    layer.append("path").attr("class", "best").attr("transform", `translate(${this.sx(u)},${this.sy(v)})`).attr("d", "M0,-7L7,0L0,7L-7,0Z");
  }

  drawCursor(): void {
    if (!this.width) return;
    const layer = this.layers.cursor;
    layer.selectAll("*").remove();
    const { store } = this;
    const [u, v] = this.where(store.model, store.index, store.skew);
    const [x, y] = [this.sx(u), this.sy(v)];
    this.svg
      .attr("aria-valuemax", store.model.t.length - 1)
      .attr("aria-valuenow", store.index)
      .attr("aria-valuetext", this.valueText(u, v))
      .attr("data-u", u)
      .attr("data-v", v);
    const [left, right] = this.x.range();
    const [bottom, top] = this.y.range();
    this.layers.axes.selectAll(".under-pill").classed("under-pill", false);
    if (x < left - 1 || x > right + 1 || y < top - 1 || y > bottom + 1) return;
    layer.append("path").attr("class", "guide").attr("d", `M${left},${y}H${x}V${bottom}`);
    this.clearTicks(x, y, rate(u).length * 6.6 + 10);
    this.pill(layer, Math.min(Math.max(x, left + 4), right - 8), bottom + 15, rate(u), "middle");
    this.pill(layer, left - 6, y, rate(v), "end");
    layer.append("circle").attr("class", "halo").attr("cx", x).attr("cy", y).attr("r", 8);
    layer.append("circle").attr("class", `dot f${store.active % 8}`).attr("cx", x).attr("cy", y).attr("r", 5.5);
  }

  /** The point under the pointer, with its numbers in the plane where the pointer is. */
  drawGhost(): void {
    const layer = this.layers.ghost;
    layer.selectAll("*").remove();
    const { store } = this;
    this.svg.attr("data-ghost", store.ghost);
    if (store.ghost === null || !this.width || store.ghost === store.index) return;
    const [u, v] = this.where(store.model, store.ghost, store.skew);
    const [x, y] = [this.sx(u), this.sy(v)];
    const [left, right] = this.x.range();
    const [bottom, top] = this.y.range();
    if (x < left - 1 || x > right + 1 || y < top - 1 || y > bottom + 1) return;
    layer.append("circle").attr("class", `ghost-dot s${store.active % 8}`).attr("cx", x).attr("cy", y).attr("r", 5.5);
    if (store.cross?.space !== this.space) return;
    const names = this.space === "roc" ? ["FPR", "recall"] : ["recall", "precision"];
    const text = `at ${written(store.model.label[store.ghost])}: ${names[0]} ${rate(u)}, ${names[1]} ${rate(v)}`;
    const wide = text.length * 6.3 + 14;
    const [px, py] = [Math.max(left + 2, Math.min(right - wide - 2, x + 12)), y - 34 < top ? y + 14 : y - 34];
    layer.append("rect").attr("class", "tip").attr("x", px).attr("y", py).attr("width", wide).attr("height", 21).attr("rx", 5);
    layer.append("text").attr("class", "tip-text").attr("x", px + 7).attr("y", py + 14.5).text(text);
  }

  private valueText(u: number, v: number): string {
    const names = this.space === "roc" ? ["false positive rate", "recall"] : ["recall", "precision"];
    return `threshold ${this.store.shown}: ${names[0]} ${rate(u)}, ${names[1]} ${rate(v)}`;
  }

  /** Ticks make room for the pills on their axes. */
  private clearTicks(x: number, y: number, wide: number): void {
    this.layers.axes.selectAll<SVGTextElement, number>("g.axis .tick text").each((value, i, nodes) => {
      const node = nodes[i] as SVGTextElement;
      const bottom = node.getAttribute("text-anchor") !== "end" && Number(node.getAttribute("x") ?? 0) >= 0;
      const near = bottom ? Math.abs(this.sx(value) - x) < wide / 2 + 9 : Math.abs(this.sy(value) - y) < 14;
      node.classList.toggle("under-pill", near);
    });
  }

  private pill(layer: Layer, x: number, y: number, text: string, anchor: "middle" | "end"): void {
    const wide = text.length * 6.6 + 10;
    const left = anchor === "middle" ? x - wide / 2 : x - wide + 2;
    layer.append("rect").attr("class", "pill").attr("x", left).attr("y", y - 9).attr("width", wide).attr("height", 18).attr("rx", 9);
    layer.append("text").attr("class", "pill-text").attr("x", left + wide / 2).attr("y", y + 4).attr("text-anchor", "middle").text(text);
  }

  // Pointer and keys

  private nearest([x, y]: [number, number]): number {
    const { model, skew } = this.store;
    this.points ??= model.tp.map((_, i): [number, number] => {
      const [u, v] = this.where(model, i, skew);
      return [this.sx(u), this.sy(v)];
    });
    let best = 0;
    let least = Infinity;
    this.points.forEach(([u, v], i) => {
      const far = (u - x) ** 2 + (v - y) ** 2;
      if (far < least) {
        least = far;
        best = i;
      }
    });
    return best;
  }

  /** The curve nearest to a point, where it is closer than the active one by more than a hair. */
  private other([x, y]: [number, number]): number | null {
    const { active } = this.store;
    let best: number | null = null;
    let least = 14;
    for (const [i, points] of this.pixels) {
      const far = distance(points, x, y) + (i === active ? 0 : 2);
      if (far < least || (far === least && i === active)) {
        least = far;
        best = i;
      }
    }
    return best === active ? null : best;
  }

  private inside([x, y]: [number, number]): boolean {
    const [left, right] = this.x.range();
    const [bottom, top] = this.y.range();
    return x >= left - 12 && x <= right + 12 && y >= top - 12 && y <= bottom + 12;
  }

  private listen(): void {
    const node = this.svg.node() as SVGSVGElement;
    let start: [number, number] | null = null;
    const at = (event: Event): [number, number] => pointer(event, node);
    this.svg
      .on("pointermove", (event: PointerEvent) => {
        const here = at(event);
        if (this.boxing && start) this.drawBox(start, here);
        else if (start) this.store.pinIndex(this.nearest(here));
        else if (!this.boxing) {
          const inside = this.inside(here);
          this.store.look(inside ? this.nearest(here) : null);
          const [low, high] = this.x.domain();
          this.store.aim(inside ? { space: this.space, x: Math.min(high, Math.max(low, this.x.invert(here[0]))) } : null, inside ? this.other(here) : null);
        }
      })
      .on("pointerdown", (event: PointerEvent) => {
        const here = at(event);
        if ((event.target as Element).closest(".legend") || !this.inside(here)) return;
        start = here;
        node.setPointerCapture(event.pointerId);
        if (this.boxing) return;
        const other = this.other(here);
        if (other !== null) {
          this.store.choose(other);
          this.drawCurves();
        }
        this.store.pinIndex(this.nearest(here));
      })
      .on("pointerup", (event: PointerEvent) => {
        if (this.boxing && start) this.finishBox(start, at(event));
        start = null;
      })
      .on("pointercancel", () => (start = null))
      .on("pointerleave", () => {
        this.store.look(null);
        this.store.aim(null, null);
      })
      .on("dblclick", () => this.reset())
      .on(
        "wheel",
        (event: WheelEvent) => {
          // Plain scrolling stays scrolling.
          if (!event.ctrlKey && !event.metaKey) return;
          event.preventDefault();
          const [x, y] = at(event);
          this.zoomBy(event.deltaY < 0 ? 1.25 : 0.8, [this.x.invert(x), this.y.invert(y)]);
        },
        { passive: false },
      )
      .on("keydown", (event: KeyboardEvent) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = this.store.model.t.length - 1;
    const leap = Math.max(1, Math.round(last / 20));
    const moves: Record<string, () => void> = {
      ArrowRight: () => this.store.step(1),
      ArrowUp: () => this.store.step(1),
      ArrowLeft: () => this.store.step(-1),
      ArrowDown: () => this.store.step(-1),
      PageUp: () => this.store.step(leap),
      PageDown: () => this.store.step(-leap),
      Home: () => this.store.pinIndex(0),
      End: () => this.store.pinIndex(last),
      "+": () => this.zoomBy(1.5),
      "=": () => this.zoomBy(1.5),
      "-": () => this.zoomBy(1 / 1.5),
      "0": () => this.reset(),
      Escape: () => this.reset(),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  private drawBox(a: [number, number], b: [number, number]): void {
    this.layers.cursor.selectAll(".box").remove();
    this.layers.cursor
      .append("rect")
      .attr("class", "box")
      .attr("x", Math.min(a[0], b[0]))
      .attr("y", Math.min(a[1], b[1]))
      .attr("width", Math.abs(a[0] - b[0]))
      .attr("height", Math.abs(a[1] - b[1]));
  }

  private finishBox(a: [number, number], b: [number, number]): void {
    this.layers.cursor.selectAll(".box").remove();
    if (Math.abs(a[0] - b[0]) < 8 || Math.abs(a[1] - b[1]) < 8) return;
    const ends = (scale: AxisScale, one: number, two: number): Range => {
      const [low, high] = scale.domain();
      const values = [scale.invert(one), scale.invert(two)].sort((p, q) => p - q);
      return [Math.max(low, values[0]), Math.min(high, values[1])];
    };
    this.zoom = { x: ends(this.x, a[0], b[0]), y: ends(this.y, a[1], b[1]) };
    this.render();
  }
}

/** The same pixels without the scale's detours: a drag asks for a hundred thousand of them. */
function quick(scale: AxisScale, log: boolean): Scale {
  if (log) return (value) => scale(Math.max(value, 1e-12));
  const [[low, high], [from, to]] = [scale.domain(), scale.range()];
  const slope = (to - from) / (high - low);
  return (value) => from + (value - low) * slope;
}

/** The distance of a point from a path in pixels. */
function distance(points: Array<[number, number]>, x: number, y: number): number {
  let least = Infinity;
  for (let k = 1; k < points.length; k++) {
    const [ax, ay] = points[k - 1];
    const [dx, dy] = [points[k][0] - ax, points[k][1] - ay];
    const long = dx * dx + dy * dy;
    const share = long > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / long)) : 0;
    const far = (ax + share * dx - x) ** 2 + (ay + share * dy - y) ** 2;
    if (far < least) least = far;
  }
  return Math.sqrt(least);
}
