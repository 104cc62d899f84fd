// Figures for a paper: a title, margins, a legend below the axes, a width in millimetres, and no cursor.
import { save, standalone } from "./download";
import { rate, short } from "./format";
import { HistogramChart } from "./histogram";
import { key } from "./lines";
import { Plane } from "./plane";
import type { Space } from "./paths";
import type { Store } from "./store";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 14;
const ROW = 17;
const DPI = 300;
/** Pixels for each width in millimetres, such that letters come out at about seven points. */
const PIXELS: Record<number, number> = { 85: 400, 120: 540, 178: 760 };

export type Figure = "roc" | "pr" | "histogram" | "cost";

/** Draw a figure out of sight, in light colours whatever the page has, and return it with everything around it. */
function drawn(shell: HTMLElement, figure: Figure, live: SVGSVGElement, store: Store, plane: Plane | null, mm: number): SVGSVGElement {
  const stage = document.createElement("div");
  stage.className = "thr js stage";
  stage.dataset.theme = "light";
  const host = document.createElement("div");
  stage.append(host);
  shell.append(stage);
  try {
    const width = PIXELS[mm] - 2 * MARGIN;
    let made = live;
    if (figure === "roc" || figure === "pr") {
      const still = new Plane(host, figure as Space, store, true);
      if (plane) still.like(plane);
      still.size(width, Math.round(width * 0.86));
      made = still.svg.node() as SVGSVGElement;
    } else if (figure === "histogram") {
      const still = new HistogramChart(host, store, true);
      still.size(width, Math.round(width * 0.6));
      made = still.svg.node() as SVGSVGElement;
    } else {
      host.append(live.cloneNode(true));
      made = host.firstElementChild as SVGSVGElement;
      made.querySelectorAll(".halo, .dot").forEach((node) => node.remove());
    }
    return framed(stage, standalone(made), figure, store, mm);
  } finally {
    stage.remove();
  }
}

/** The figure between its title and its legend, on white. */
function framed(stage: HTMLElement, inner: SVGSVGElement, figure: Figure, store: Store, mm: number): SVGSVGElement {
  const [, , w, h] = (inner.getAttribute("viewBox") as string).split(" ").map(Number);
  const models = figure === "histogram" || figure === "cost" ? [store.active] : store.visible;
  const columns = w > 600 ? 2 : 1;
  const rows = Math.ceil(models.length / columns);
  const [wide, tall] = [w + 2 * MARGIN, h + 2 * MARGIN + 24 + rows * ROW + 8];
  const out = document.createElementNS(SVG, "svg");
  out.setAttribute("xmlns", SVG);
  out.setAttribute("viewBox", `0 0 ${wide} ${tall}`);
  out.setAttribute("width", `${mm}mm`);
  out.setAttribute("height", `${((mm * tall) / wide).toFixed(2)}mm`);
  out.append(node("rect", { width: "100%", height: "100%", fill: "#fff" }));
  const font = { "font-family": "Helvetica, Arial, sans-serif", fill: "#1d1f23" };
  out.append(node("text", { x: MARGIN, y: MARGIN + 10, "font-size": 14, "font-weight": 600, ...font }, store.report.title.slice(0, Math.floor(w / 7.5))));
  inner.setAttribute("x", String(MARGIN));
  inner.setAttribute("y", String(MARGIN + 24));
  inner.setAttribute("width", String(w));
  inner.setAttribute("height", String(h));
  out.append(inner);
  models.forEach((i, place) => {
    const [x, y] = [MARGIN + (place % columns) * (w / columns), MARGIN + 24 + h + 12 + Math.floor(place / columns) * ROW];
    const sample = key(i);
    stage.append(sample);
    const line = standalone(sample);
    for (const [name, value] of Object.entries({ x, y: y - 8, width: 26, height: 8 })) line.setAttribute(name, String(value));
    const [value, low, high] = store.area(i, figure === "pr" ? "interpolated" : "roc_auc");
    const area = figure === "roc" || figure === "pr" ? ` ${figure === "roc" ? "AUC-ROC" : "AUC-PR"} ${rate(value)}${low === null || high === null ? "" : ` (${rate(low)}–${rate(high)})`}` : "";
    out.append(line, node("text", { x: x + 32, y, "font-size": 12, ...font }, short(store.report.models[i].name, 26) + area));
  });
  return out;
}

function node(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const out = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, String(value));
  out.textContent = text;
  return out;
}

export function publish(shell: HTMLElement, figure: Figure, live: SVGSVGElement, store: Store, plane: Plane | null, mm: number, form: string): void {
  const svg = drawn(shell, figure, live, store, plane, mm);
  const text = new XMLSerializer().serializeToString(svg);
  const name = `thresher-${figure}`;
  if (form === "svg") {
    save(`${name}.svg`, new Blob([text], { type: "image/svg+xml" }));
    return;
  }
  const [, , wide, tall] = (svg.getAttribute("viewBox") as string).split(" ").map(Number);
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round((mm / 25.4) * DPI);
    canvas.height = Math.round((canvas.width * tall) / wide);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(`${name}.png`, blob), "image/png");
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}
