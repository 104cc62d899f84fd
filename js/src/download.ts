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

const INLINED = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linejoin", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight", "font-style", "paint-order", "visibility"];

/** The figure with its colours written into it, so that it looks the same anywhere. */
export function standalone(svg: SVGSVGElement): SVGSVGElement {
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
  return copy;
}
