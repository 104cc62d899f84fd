// Counting in the browser, by the library's rules: distinct scores from the highest down, ties together.
import type { Histogram, Model, Report } from "./data";
import type { Values } from "./columns";
import { prArea } from "./measures";

const MOST_POINTS = 20_000;
const BINS = 48;

export function tally(title: string, positive: boolean[], scores: Array<[name: string, values: Values]>): Report {
  const models = scores.map(([name, values]) => count(name, positive, values));
  const ranked = models.map((_, i) => i).sort((a, b) => models[b].areas.roc_auc[0] - models[a].areas.roc_auc[0]);
  return { title, prevalence: null, level: 0.95, ranked, metric: "ROC AUC", cases: "cases", positive: "positive", models, pairs: [] };
}

function count(name: string, positive: boolean[], values: Values): Model {
  const order = Uint32Array.from(values.keys()).sort((a, b) => (values[b] > values[a] ? 1 : values[b] < values[a] ? -1 : 0));
  const t = [Infinity];
  const tp = [0];
  const fp = [0];
  let [found, wrong] = [0, 0];
  order.forEach((row, k) => {
    if (positive[row]) found++;
    else wrong++;
    if (k + 1 < order.length && values[order[k + 1]] === values[row]) return;
    // Not -0; whole numbers that a double does not hold are counted as they are and shown as the nearest one.
    t.push(Number(values[row]) || 0);
    tp.push(found);
    fp.push(wrong);
  });
  if (!found || !wrong) throw new Error(`Both classes are needed; there are ${found} positives and ${wrong} negatives.`);
  const hull = upperHull(fp, tp);
  const label = t.map((score, i) => short(score, i + 1 < t.length ? t[i + 1] : -Infinity));
  const full = { name, nPos: found, nNeg: wrong, weighted: false, t, label, tp, fp, hull, start: 0, nPoints: t.length } as Model;
  const model = thinned(full);
  model.start = model.tp.reduce((best, p, i) => (f1(p, model.fp[i], found) > f1(model.tp[best], model.fp[best], found) ? i : best), 0);
  model.hist = histogram(t, tp, fp);
  model.areas = { roc_auc: [rocArea(tp, fp), null, null], interpolated: [prArea(full, 1), null, null], average_precision: [averagePrecision(tp, fp), null, null] };
  return Object.assign(model, { rocBand: null, prBand: null, knownBand: null, own: null, score: null, metric: null, cal: null, worth: null });
}

const f1 = (tp: number, fp: number, nPos: number): number => (2 * tp) / (tp + fp + nPos);

/** Twice the Mann-Whitney statistic is a whole number; one division at the end. */
function rocArea(tp: number[], fp: number[]): number {
  const last = tp.length - 1;
  let twice = 0;
  for (let i = 1; i <= last; i++) twice += (fp[i] - fp[i - 1]) * (tp[i] + tp[i - 1]);
  return twice / (2 * tp[last] * fp[last]);
}

function averagePrecision(tp: number[], fp: number[]): number {
  let sum = 0;
  for (let i = 1; i < tp.length; i++) sum += ((tp[i] - tp[i - 1]) * tp[i]) / (tp[i] + fp[i]);
  return sum / tp[tp.length - 1];
}

/** The vertices of the upper hull, by whole numbers. */
function upperHull(x: number[], y: number[]): number[] {
  const kept: number[] = [];
  for (let i = 0; i < x.length; i++) {
    while (kept.length > 1) {
      const [a, b] = kept.slice(-2);
      if ((x[b] - x[a]) * (y[i] - y[a]) - (y[b] - y[a]) * (x[i] - x[a]) < 0) break;
      kept.pop();
    }
    // Of points above each other only the highest is a vertex, unless it is where the curve starts.
    kept.push(i);
  }
  return kept;
}

/** The shortest number of at least three digits that makes the same calls. */
function short(score: number, below: number): number {
  if (!Number.isFinite(score) || score === 0) return score;
  const size = Math.floor(Math.log10(Math.abs(score)));
  for (let digits = 3; digits < 18; digits++) {
    let cut = Number(score.toPrecision(digits));
    if (cut > score) cut = Number((cut - 10 ** (size - digits + 1)).toPrecision(digits));
    if (below < cut && cut <= score) return cut;
  }
  return score;
}

/** As many points as a page can hold: the hull's, then even steps of rates and of the logarithm of what is called. */
function thinned(model: Model): Model {
  const last = model.t.length - 1;
  if (last < MOST_POINTS) return { ...model };
  const mass = (i: number): number => model.tp[i] / model.nPos + model.fp[i] / model.nNeg + (2 * Math.log1p(model.tp[i] + model.fp[i])) / Math.log1p(last);
  const keep = new Set<number>([0, 1, last, ...model.hull]);
  const step = mass(last) / (MOST_POINTS - keep.size);
  let next = step;
  for (let i = 1; i <= last; i++) {
    if (mass(i) < next) continue;
    keep.add(i);
    next = mass(i) + step;
  }
  const rows = [...keep].sort((a, b) => a - b);
  const place = new Map(rows.map((row, i) => [row, i]));
  const taken = (values: number[]): number[] => rows.map((row) => values[row]);
  return { ...model, t: taken(model.t), label: taken(model.label), tp: taken(model.tp), fp: taken(model.fp), hull: model.hull.map((row) => place.get(row) as number) };
}

function histogram(t: number[], tp: number[], fp: number[]): Histogram {
  const finite = t.filter(Number.isFinite);
  let [low, high] = finite.length ? [finite[finite.length - 1], finite[0]] : [0, 1];
  const total = tp[tp.length - 1] + fp[fp.length - 1];
  let bins = Math.min(BINS, Math.max(8, Math.ceil(2 * Math.cbrt(total))));
  const whole = finite.length > 1 && Math.abs(low) < 2 ** 52 && Math.abs(high) < 2 ** 52 && finite.every(Number.isInteger);
  if (whole) {
    const each = Math.ceil((high - low + 1) / BINS);
    bins = Math.ceil((high - low + 1) / each);
    [low, high] = [low - 0.5, low - 0.5 + each * bins];
  } else if (!(high / 2 - low / 2 > Math.abs(high) * 1e-14)) {
    const pad = Math.max(Math.abs(low) * 0.5, 0.5);
    [low, high] = [low - pad, high + pad];
  }
  const pos = new Array<number>(bins).fill(0);
  const neg = new Array<number>(bins).fill(0);
  for (let i = 1; i < t.length; i++) {
    const share = (Math.min(high, Math.max(low, t[i])) / 2 - low / 2) / (high / 2 - low / 2);
    const place = Math.min(Math.floor(share * bins), bins - 1);
    pos[place] += tp[i] - tp[i - 1];
    neg[place] += fp[i] - fp[i - 1];
  }
  const wide = (high - low) / bins;
  const edges = Array.from({ length: bins + 1 }, (_, i) => (whole ? low + wide * i : low * (1 - i / bins) + high * (i / bins)));
  return { edges, pos, neg, whole };
}
