// The data as CSV, the figures as SVG and PNG. Nothing leaves the page but a file.
import type { Model } from "./data";
import { precisionOf } from "./measures";

/** A cell that no spreadsheet takes for a formula. */
export function cell(value: string | number): string {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : value > 0 ? "inf" : value < 0 ? "-inf" : "";
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return `"${safe.replace(/"/g, '""')}"`;
}

export function curvesCsv(models: Model[]): string {
  const lines = ["model,threshold,tp,fp,fn,tn,fpr,recall,precision,on_hull"];
  for (const model of models) {
    const hull = new Set(model.hull);
    model.t.forEach((t, i) => {
      const [tp, fp] = [model.tp[i], model.fp[i]];
      const numbers = [t, tp, fp, model.nPos - tp, model.nNeg - fp, fp / model.nNeg, tp / model.nPos, precisionOf(model, tp, fp, 1), Number(hull.has(i))];
      lines.push([cell(model.name), ...numbers.map(cell)].join(","));
    });
  }
  return lines.join("\r\n") + "\r\n";
}

export function areasCsv(models: Model[]): string {
  const lines = ["model,area,value,low,high"];
  for (const model of models) {
    for (const [key, [value, low, high]] of Object.entries(model.areas)) {
      lines.push([cell(model.name), cell(key), cell(value), low === null ? "" : cell(low), high === null ? "" : cell(high)].join(","));
    }
  }
  return lines.join("\r\n") + "\r\n";
}

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const INLINED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight", "paint-order"];

/** The figure with its colours written into it, so that it looks the same anywhere. */
export function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of INLINED) {
      const value = style.getPropertyValue(name);
      if (value) node.setAttribute(name, value);
    }
    node.removeAttribute("class");
  });
  for (const name of ["class", "tabindex", "role", "style"]) copy.removeAttribute(name);
  for (const name of Array.from(copy.attributes, (a) => a.name).filter((n) => n.startsWith("aria-") || n.startsWith("data-"))) copy.removeAttribute(name);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(svg).getPropertyValue("--panel").trim() || "#fff");
  copy.prepend(paper);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(svg: SVGSVGElement, name: string): void {
  save(`${name}.svg`, new Blob([standalone(svg)], { type: "image/svg+xml" }));
}

export function savePng(svg: SVGSVGElement, name: string, scale = 3): void {
  const image = new Image();
  const { width, height } = svg.viewBox.baseVal;
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(`${name}.png`, blob), "image/png");
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(standalone(svg));
}
