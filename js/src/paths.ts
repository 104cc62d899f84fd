// Curves as pixels: straight in counts, hence bent wherever the plane is not ROC space with plain axes.
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
/** Points closer to the last one than an eye can tell are left out of the drawing. */
const NEAR = 0.4;

const WRITTEN = new Array<string | undefined>(20_000);

/** A number of pixels to one decimal: there are a few thousand of them, each written once. */
function tenths(pixels: number): string {
  const whole = Math.round(pixels * 10);
  return whole >= 0 && whole < WRITTEN.length ? (WRITTEN[whole] ??= String(whole / 10)) : String(whole / 10);
}

/** A curve's drawing, and its points in pixels; written for a drag, which redraws every curve in every frame. */
export function curvePath(
  space: Space,
  model: Model,
  indices: number[] | null,
  skew: number,
  x: Scale,
  y: Scale,
  bent: boolean,
): { d: string; points: Array<[number, number]> } {
  const points: Array<[number, number]> = [];
  const roc = space === "roc";
  const n = indices ? indices.length : model.tp.length;
  let d = "";
  let [drawnX, drawnY] = [Infinity, Infinity];
  const add = (px: number, py: number, last: boolean): void => {
    if (!last && Math.abs(px - drawnX) <= NEAR && Math.abs(py - drawnY) <= NEAR) return;
    [drawnX, drawnY] = [px, py];
    d += `${points.length ? "L" : "M"}${tenths(px)},${tenths(py)}`;
    points.push([px, py]);
  };
  let [lastTp, lastFp, lastX, lastY] = [0, 0, 0, 0];
  for (let k = 0; k < n; k++) {
    const i = indices ? indices[k] : k;
    const tp = model.tp[i];
    const fp = model.fp[i];
    const px = x(roc ? fp / model.nNeg : tp / model.nPos);
    const py = y(roc ? tp / model.nPos : precisionOf(model, tp, fp, skew));
    if (k > 0 && bent) {
      const steps = Math.min(MOST_STEPS, Math.floor(Math.max(Math.abs(px - lastX), Math.abs(py - lastY)) / FAR));
      for (let s = 1; s < steps; s++) {
        // Closer together where a hyperbola starts, which is where it bends.
        const share = (s / steps) ** 2;
        const [u, v] = place(space, model, lastTp + share * (tp - lastTp), lastFp + share * (fp - lastFp), skew);
        add(x(u), y(v), false);
      }
    }
    add(px, py, k === n - 1);
    [lastTp, lastFp, lastX, lastY] = [tp, fp, px, py];
  }
  return { d, points };
}
