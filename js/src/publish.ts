// Figures for a paper: a title, margins, a legend below the axes, a width in millimetres, and no cursor.
import { save, standalone } from "./download";
import { told } from "./present";
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

export type Figure = "roc" | "pr" | "histogram" | "cost" | "metrics";

const TITLES: Record<Figure, string> = { roc: "ROC curves", pr: "Precision-recall curves", histogram: "Scores by class", cost: "Cost by alerts", metrics: "Metrics by threshold" };

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
  const models = figure !== "roc" && figure !== "pr" ? [store.active] : store.visible;
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
  out.append(node("text", { x: MARGIN, y: MARGIN + 10, "font-size": 14, "font-weight": 600, ...font }, fitted(`${store.visible.length > 1 || figure === "histogram" ? TITLES[figure] : TITLES[figure].replace("curves", "curve")}: ${store.report.title}`, Math.floor(w / 7.4))));
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
    const area = figure === "roc" || figure === "pr" ? ` ${figure === "roc" ? "ROC AUC" : "PR AUC"} ${rate(value)}${low === null || high === null ? "" : ` (${rate(low)}–${rate(high)})`}` : "";
    out.append(line, node("text", { x: x + 32, y, "font-size": 12, ...font }, short(store.report.models[i].name, 26) + area));
  });
  return out;
}

/** A title cut at its end, with a mark that it was. */
const fitted = (text: string, longest: number): string => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`);

function node(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const out = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, String(value));
  out.textContent = text;
  return out;
}

export function publish(shell: HTMLElement, figure: Figure, live: SVGSVGElement, store: Store, plane: Plane | null, mm: number, form: string): void {
  saveAs(drawn(shell, figure, live, store, plane, mm), `thresher-${figure}`, form, Math.round((mm / 25.4) * DPI));
}

/** Save a picture as SVG, or as PNG so many pixels wide. */
function saveAs(svg: SVGSVGElement, name: string, form: string, pixels: number): void {
  const text = new XMLSerializer().serializeToString(svg);
  if (form === "svg") {
    save(`${name}.svg`, new Blob([text], { type: "image/svg+xml" }));
    return;
  }
  const [, , wide, tall] = (svg.getAttribute("viewBox") as string).split(" ").map(Number);
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = pixels;
    canvas.height = Math.round((canvas.width * tall) / wide);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(`${name}.png`, blob), "image/png");
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

const SLIDE = { width: 1280, height: 720 };

/** The cockpit as one picture for a slide: the sentence, both curves with the operating point, scores, matrix and models. */
export function slide(shell: HTMLElement, store: Store, planes: Plane[], form: string): void {
  const stage = document.createElement("div");
  stage.className = "thr js stage";
  stage.dataset.theme = "light";
  shell.append(stage);
  try {
    const out = document.createElementNS(SVG, "svg");
    out.setAttribute("xmlns", SVG);
    out.setAttribute("viewBox", `0 0 ${SLIDE.width} ${SLIDE.height}`);
    out.setAttribute("width", String(SLIDE.width));
    out.setAttribute("height", String(SLIDE.height));
    out.append(node("rect", { width: "100%", height: "100%", fill: "#fff" }));
    const font = { "font-family": "Helvetica, Arial, sans-serif", fill: "#1d1f23" };
    const say = (x: number, y: number, size: number, text: string, more: Record<string, string | number> = {}): void => void out.append(node("text", { x, y, "font-size": size, ...font, ...more }, text));
    say(32, 46, 26, fitted(store.report.title, 84), { "font-weight": 700 });
    say(32, 76, 18, fitted(told(store), 130), { fill: "#565a63" });
    const put = (svg: SVGSVGElement, x: number, y: number, w: number, h: number): void => {
      const copy = standalone(svg);
      for (const [name, value] of Object.entries({ x, y, width: w, height: h })) copy.setAttribute(name, String(value));
      out.append(copy);
    };
    (["roc", "pr"] as const).forEach((space, k) => {
      const host = stage.appendChild(document.createElement("div"));
      const drawing = new Plane(host, space, store, true);
      drawing.like(planes[k]);
      drawing.size(410, 350);
      drawing.drawLegend();
      drawing.drawCursor();
      put(drawing.svg.node() as SVGSVGElement, 24 + k * 424, 96, 410, 350);
    });
    const host = stage.appendChild(document.createElement("div"));
    const scores = new HistogramChart(host, store);
    scores.size(834, 236);
    put(scores.svg.node() as SVGSVGElement, 24, 462, 834, 236);
    const text = (name: string): string => shell.querySelector(`[data-out="${name}"]`)?.textContent ?? "";
    const left = 884;
    say(left, 112, 17, `Threshold ${store.shown}`, { "font-weight": 700 });
    const cells: Array<[string, string, string, number, number]> = [["tp", "found", "#7a3b9c", 0, 0], ["fn", "missed", "#b3261e", 1, 0], ["fp", "false alarms", "#9a5b00", 0, 1], ["tn", "cleared", "#66707b", 1, 1]];
    for (const [name, word, fill, column, row] of cells) {
      const [x, y] = [left + column * 184, 128 + row * 84];
      out.append(node("rect", { x, y, width: 176, height: 76, rx: 8, fill: "#f6f5f1" }), node("rect", { x, y: y + 71, width: 176, height: 5, fill }));
      say(x + 88, y + 30, 24, text(name), { "text-anchor": "middle", "font-weight": 700 });
      say(x + 88, y + 47, 13, word, { "text-anchor": "middle" });
      say(x + 88, y + 63, 12, text(`${name}-limits`), { "text-anchor": "middle", fill: "#565a63" });
    }
    const rows: Array<[string, string]> = [["recall", "Recall"], ["precision", "Precision"], ["fpr", "FPR"], ["f1", "F1"], ["npv", "NPV"], ["alertRate", "Alert rate"]];
    rows.forEach(([name, word], k) => {
      const y = 324 + k * 24;
      say(left, y, 15, word);
      say(left + 130, y, 15, text(name), { "font-weight": 700 });
      say(left + 200, y, 14, text(`${name}-limits`), { fill: "#565a63" });
    });
    say(left, 324 + rows.length * 24, 12, text("basis"), { fill: "#565a63", textLength: 0 });
    const models = store.visible.slice(0, 9);
    say(left + 218, 506, 13, "ROC AUC", { "text-anchor": "end", fill: "#565a63" });
    say(left + 340, 506, 13, "PR AUC", { "text-anchor": "end", fill: "#565a63" });
    models.forEach((i, k) => {
      const y = 528 + k * 20;
      const sample = stage.appendChild(key(i));
      const line = standalone(sample);
      for (const [name, value] of Object.entries({ x: left, y: y - 8, width: 26, height: 8 })) line.setAttribute(name, String(value));
      out.append(line);
      say(left + 34, y, 14, short(store.report.models[i].name, 16), { "font-weight": i === store.active ? 700 : 400 });
      say(left + 218, y, 14, rate(store.area(i, "roc_auc")[0]), { "text-anchor": "end" });
      say(left + 340, y, 14, rate(store.area(i, "interpolated")[0]), { "text-anchor": "end" });
    });
    out.querySelectorAll("[textLength]").forEach((one) => one.removeAttribute("textLength"));
    saveAs(out, "thresher-view", form, 2 * SLIDE.width);
  } finally {
    stage.remove();
  }
}
