// A chart that is drawn again when its place or its data change, with a mark at the current threshold that a drag moves.
import { select, type Selection } from "d3-selection";
import { draggable } from "./drag";
import type { Outlets } from "./outlets";
import { room } from "./room";
import type { Store } from "./store";

type Margin = { top: number; right: number; bottom: number; left: number };

export abstract class LiveChart {
  readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  protected width = 0;
  protected height: number;
  protected mark: Selection<SVGGElement, unknown, null, undefined>;

  constructor(
    protected outlets: Outlets,
    private host: HTMLElement,
    protected store: Store,
    label: string,
    private tall: number,
    private margin: Margin,
  ) {
    this.height = tall;
    this.svg = select(host).append("svg").attr("class", "chart live").attr("role", "img").attr("aria-label", label) as unknown as typeof this.svg;
    draggable(this.svg.node() as SVGSVGElement, (x) => {
      const [left, right] = [margin.left, this.width - margin.right];
      this.dragged((Math.max(left, Math.min(right, x)) - left) / (right - left));
    });
    this.mark = this.svg.append("g");
  }

  /** Take a proportion of the horizontal axis to which the mark was dragged. */
  protected abstract dragged(part: number): void;
  abstract render(): void;
  abstract drawCursor(): void;

  resize(): void {
    const [width, height] = room(this.host, this.tall, this.tall);
    if (!width || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    this.render();
  }

  protected clear(): void {
    this.svg.attr("viewBox", `0 0 ${this.width} ${this.height}`).attr("width", this.width).attr("height", this.height);
    this.svg.selectAll("*").remove();
  }

  protected level(y: number, text: string | number): void {
    const { svg, margin } = this;
    svg.append("path").attr("class", "grid").attr("d", `M${margin.left},${y}H${this.width - margin.right}`);
    svg.append("text").attr("class", "tick").attr("x", margin.left - 8).attr("y", y + 4).attr("text-anchor", "end").text(text);
  }

  protected tick(x: number, text: string | number): void {
    this.svg.append("text").attr("class", "tick").attr("x", x).attr("y", this.height - this.margin.bottom + 18).attr("text-anchor", "middle").text(text);
  }

  protected axes(up: string, across: string): void {
    const { svg, margin } = this;
    svg.append("text").attr("class", "axis-label").attr("x", 0).attr("y", 12).text(up);
    svg.append("text").attr("class", "axis-label").attr("x", this.width - margin.right).attr("y", this.height - 5).attr("text-anchor", "end").text(across);
  }

  protected guide(cx: number, cy: number): void {
    this.mark.append("path").attr("class", "guide").attr("d", `M${this.margin.left},${cy}H${cx}V${this.height - this.margin.bottom}`);
  }

  protected dot(cx: number, cy: number): void {
    this.mark.append("circle").attr("class", "halo").attr("cx", cx).attr("cy", cy).attr("r", 8);
    this.mark.append("circle").attr("class", `dot f${this.store.active % 8}`).attr("cx", cx).attr("cy", cy).attr("r", 5.5);
  }
}

/** A chart over scores that are probabilities. */
export abstract class ProbabilityChart extends LiveChart {
  protected abstract readonly place: string;

  protected dragged(part: number): void {
    this.store.drag(Number(part.toFixed(3)));
  }

  protected say(text: string): void {
    this.outlets.put(this.place, text);
  }
}
