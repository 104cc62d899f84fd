// Rates and costs of a confusion matrix: the library's formulas, for points the library counted.
import type { Model } from "./data";

export interface Confusion {
  tp: number;
  fp: number;
  fn: number;
  tn: number;
}

/** By how much one false positive of the sample counts at another prevalence. */
export function skewOf(model: Model, prevalence: number | null): number {
  if (prevalence === null) return 1;
  return ((1 - prevalence) / prevalence) * (model.nPos / model.nNeg);
}

export const sampleShare = (model: Model): number => model.nPos / (model.nPos + model.nNeg);

/** The largest index whose threshold is at least the one given: the strictest point that makes the same calls. */
export function indexAt(model: Model, threshold: number): number {
  let low = 0;
  let high = model.t.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (model.t[middle] >= threshold) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function confusion(model: Model, index: number): Confusion {
  const tp = model.tp[index];
  const fp = model.fp[index];
  return { tp, fp, fn: model.nPos - tp, tn: model.nNeg - fp };
}

/** Among how many cases counts are told at another prevalence: a power of ten with ten of the rarer class in it. */
export function unitOf(prevalence: number): number {
  const rare = Math.min(prevalence, 1 - prevalence);
  return 10 ** Math.max(3, Math.ceil(Number((1 - Math.log10(rare)).toFixed(9))));
}

/** The prevalence at which counts are told; null for the sample's own. Sums of weights are no counts: they are told as shares of cases. */
export const toldAt = (model: Model, prevalence: number | null): number | null => (prevalence === null && model.weighted ? sampleShare(model) : prevalence);

/** The one unit of all counts on the page: so many cases at another prevalence, the sample's own without one. */
export function totalOf(model: Model, given: number | null): number {
  const prevalence = toldAt(model, given);
  return prevalence === null ? model.nPos + model.nNeg : unitOf(prevalence);
}

/** The counts to expect at another prevalence; the sample's own counts without one. */
export function expected(model: Model, index: number, given: number | null): Confusion {
  const prevalence = toldAt(model, given);
  const sample = confusion(model, index);
  if (prevalence === null) return sample;
  const total = totalOf(model, prevalence);
  const up = (total * prevalence) / model.nPos;
  const down = (total * (1 - prevalence)) / model.nNeg;
  return { tp: sample.tp * up, fp: sample.fp * down, fn: sample.fn * up, tn: sample.tn * down };
}

export function precisionOf(model: Model, tp: number, fp: number, skew: number): number {
  if (tp + fp > 0) return tp / (tp + skew * fp);
  // Nothing is predicted positive: the limit at the first group of scores.
  return model.tp[1] / (model.tp[1] + skew * model.fp[1]);
}

export interface Rates {
  recall: number;
  precision: number;
  fpr: number;
  specificity: number;
  npv: number;
  f1: number;
  alertRate: number;
  youden: number;
}

const ratio = (part: number, whole: number): number => (whole > 0 ? part / whole : NaN);

export function rates({ tp, fp, fn, tn }: Confusion, skew: number): Rates {
  return {
    recall: ratio(tp, tp + fn),
    precision: ratio(tp, tp + skew * fp),
    fpr: ratio(fp, fp + tn),
    specificity: ratio(tn, fp + tn),
    npv: ratio(skew * tn, skew * tn + fn),
    f1: ratio(2 * tp, 2 * tp + fn + skew * fp),
    alertRate: ratio(tp + skew * fp, tp + fn + skew * (fp + tn)),
    youden: ratio(tp * (fp + tn) - fp * (tp + fn), (tp + fn) * (fp + tn)),
  };
}

/** The exact integral of the interpolated PR curve through the drawn points. */
export function prArea(model: Model, skew: number): number {
  let area = 0;
  for (let i = 1; i < model.tp.length; i++) {
    const p = model.tp[i] - model.tp[i - 1];
    if (p <= 0) continue;
    const q = skew * (model.fp[i] - model.fp[i - 1]);
    const before = model.tp[i - 1] + skew * model.fp[i - 1];
    if (before === 0) {
      area += (p * p) / (p + q);
      continue;
    }
    const z = (p + q) / before;
    // log1p(z) / z, and its complement, which cancels for small z.
    const outer = Math.log1p(z) / z;
    const inner = z < 1e-4 ? z / 2 - (z * z) / 3 : 1 - outer;
    area += p * (outer * (model.tp[i - 1] / before) + inner * (p / (p + q)));
  }
  return area / model.nPos;
}

/** Between which drawn points a value of counts lies, and how far along: curves are straight in counts. */
function along(model: Model, reached: (index: number) => number, target: number): [number, number] {
  let low = 0;
  let high = model.t.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reached(middle) >= target) high = middle;
    else low = middle + 1;
  }
  if (low === 0) return [0, 0];
  const [before, after] = [reached(low - 1), reached(low)];
  return [low, after > before ? (target - before) / (after - before) : 1];
}

/** Recall at a false positive rate; on a vertical step its top. */
export function recallAt(model: Model, fpr: number): number {
  const target = fpr * model.nNeg;
  const [i, share] = along(model, (k) => model.fp[k], target);
  if (model.fp[i] > target && i > 0) return (model.tp[i - 1] + share * (model.tp[i] - model.tp[i - 1])) / model.nPos;
  let last = i;
  while (last + 1 < model.fp.length && model.fp[last + 1] === model.fp[i]) last++;
  return model.tp[last] / model.nPos;
}

/** Precision at a recall. */
export function precisionAt(model: Model, recall: number, skew: number): number {
  const [i, share] = along(model, (k) => model.tp[k], recall * model.nPos);
  if (i === 0) return precisionOf(model, 0, 0, skew);
  const tp = model.tp[i - 1] + share * (model.tp[i] - model.tp[i - 1]);
  const fp = model.fp[i - 1] + share * (model.fp[i] - model.fp[i - 1]);
  return precisionOf(model, tp, fp, skew);
}

export interface Costs {
  miss: number;
  alarm: number;
  perDay: number;
  budget: number | null;
}

export function costPerDay(model: Model, index: number, share: number, costs: Costs): number {
  const misses = share * (1 - model.tp[index] / model.nPos);
  const alarms = (1 - share) * (model.fp[index] / model.nNeg);
  return costs.perDay * (costs.miss * misses + costs.alarm * alarms);
}

export function alertsPerDay(model: Model, index: number, share: number, costs: Costs): number {
  return costs.perDay * ((share * model.tp[index]) / model.nPos + ((1 - share) * model.fp[index]) / model.nNeg);
}

/** The threshold of lowest expected cost within the budget of alerts; without a budget a vertex of the hull. */
export function cheapest(model: Model, share: number, costs: Costs): number {
  let best = 0;
  let lowest = Infinity;
  const candidates = costs.budget === null ? model.hull : model.t.map((_, i) => i);
  for (const i of candidates) {
    if (costs.budget !== null && alertsPerDay(model, i, share, costs) > costs.budget) continue;
    const cost = costPerDay(model, i, share, costs);
    if (cost < lowest) {
      lowest = cost;
      best = i;
    }
  }
  return best;
}

export function bestBy(model: Model, value: (index: number) => number): number {
  let best = 0;
  let highest = -Infinity;
  for (let i = 0; i < model.t.length; i++) {
    const here = value(i);
    if (here > highest) {
      highest = here;
      best = i;
    }
  }
  return best;
}
