// Curves as pixels: straight in counts, hence bent wherever the plane is not ROC space with plain axes.
import { line } from "d3-shape";
import type { Model } from "./data";
import { precisionOf } from "./measures";

export type Space = "roc" | "pr";
export type Scale = (value: number) => number;

/** Where a confusion matrix stands in a space. */
export function place(space: Space, model: Model, tp: number, fp: number, skew: number): [number, number] {
  const recall = tp / model.nPos;
  return space === "roc" ? [fp / model.nNeg, recall] : [recall, precisionOf(model, tp, fp, skew)];
}

const FAR = 5;
const MOST_STEPS = 32;

export function curvePath(
  space: Space,
  model: Model,
  indices: number[] | null,
  skew: number,
  x: Scale,
  y: Scale,
  bent: boolean,
): string {
  const points: Array<[number, number]> = [];
  const n = indices ? indices.length : model.tp.length;
  let lastTp = 0;
  let lastFp = 0;
  let lastPixel: [number, number] = [0, 0];
  for (let k = 0; k < n; k++) {
    const i = indices ? indices[k] : k;
    const tp = model.tp[i];
    const fp = model.fp[i];
    const [u, v] = place(space, model, tp, fp, skew);
    const pixel: [number, number] = [x(u), y(v)];
    if (k > 0 && bent) {
      const far = Math.max(Math.abs(pixel[0] - lastPixel[0]), Math.abs(pixel[1] - lastPixel[1]));
      const steps = Math.min(MOST_STEPS, Math.floor(far / FAR));
      for (let s = 1; s < steps; s++) {
        // Closer together where a hyperbola starts, which is where it bends.
        const share = (s / steps) ** 2;
        const [a, b] = place(space, model, lastTp + share * (tp - lastTp), lastFp + share * (fp - lastFp), skew);
        points.push([x(a), y(b)]);
      }
    }
    points.push(pixel);
    lastTp = tp;
    lastFp = fp;
    lastPixel = pixel;
  }
  return line().digits(1)(points) ?? "";
}
