// Intervals at an operating point: the library's default for each metric, at any threshold and class balance.
import { betaQuantile } from "./beta";
import type { Model } from "./data";
import { confusion, type Confusion, type Rates } from "./measures";

export type Limits = [low: number, high: number];

/** So much of a case is added at the far end of a proportion, as the library does. */
const ADVERSE = 0.75;
const WHOLE: Limits = [0, 1];

/** Limits of a proportion of `total` cases, `count` of them with the property; `more` and `less` as in the library. */
function bounds(count: number, total: number, tail: number, more: number, less: number): Limits {
  if (!(total > 0)) return WHOLE;
  const rest = Math.max(0, total - count);
  const low = count <= 0 ? 0 : betaQuantile(tail, count + less, rest + more);
  const high = rest <= 0 ? 1 : betaQuantile(1 - tail, count + more, rest + less);
  return [low, high];
}

export const proportion = (count: number, total: number, tail: number): Limits => bounds(count, total, tail, ADVERSE, 0);
const jeffreys = (count: number, total: number, tail: number): Limits => bounds(count, total, tail, 0.5, 0.5);

/** Proportions that rows are worth on their own: what counts, and what it is a part of. */
const PARTS: Record<string, [Array<keyof Confusion>, Array<keyof Confusion>]> = {
  recall: [["tp"], ["fn"]],
  fpr: [["fp"], ["tn"]],
  precision: [["tp"], ["fp"]],
  npv: [["tn"], ["fn"]],
  f1: [["tp"], ["fp", "fn"]],
  alertRate: [["tp", "fp"], ["fn", "tn"]],
};

/** By how many rows of equal weight a unit of weight counts there; between two places that were kept, the fewer. */
function worthAt(model: Model, name: string, index: number): number {
  const { worth } = model;
  if (!worth) return 1;
  const at = worth.at;
  let after = 0;
  while (after < at.length - 1 && at[after] < index) after++;
  const before = at[after] === index ? after : Math.max(0, after - 1);
  return Math.min(worth[name as "recall"][before], worth[name as "recall"][after]);
}

/** A proportion as so many rows of equal weight, of which so many have the property. */
function rowsOf(model: Model, name: string, index: number, cells: Confusion): [count: number, total: number] {
  const [yes, no] = PARTS[name];
  const sum = (names: Array<keyof Confusion>): number => names.reduce((all, cell) => all + cells[cell], 0);
  const factor = worthAt(model, name, index);
  return [sum(yes) * factor, (sum(yes) + sum(no)) * factor];
}

/** Limits of p1 / p2 from the limits of both (Donner and Zou). */
function ratio(p1: number, [l1, u1]: Limits, p2: number, [l2, u2]: Limits): Limits {
  if (p1 === 0 && p2 === 0) return [0, Infinity];
  const solve = (a: number, b: number): number => (p1 * p2 + Math.sqrt(Math.max((p1 * p2) ** 2 - a * b, 0))) / a;
  const square = (2 * p2 - u2) * u2;
  const constant = l1 * (2 * p1 - l1);
  const low = p1 === 0 ? 0 : constant / (p1 * p2 + Math.sqrt(Math.max((p1 * p2) ** 2 - square * constant, 0)));
  const below = l2 * (2 * p2 - l2);
  const high = p2 === 0 || below <= 0 ? Infinity : solve(below, (2 * p1 - u1) * u1);
  return [low, high];
}

const odds = (value: number): number => (value === Infinity ? 1 : value / (1 + value));

/** Limits of a function of both rates, from theirs: distances add as squares. */
function joined(value: (tpr: number, fpr: number) => number, tpr: number, fpr: number, found: Limits, wrong: Limits, [least, most]: Limits): Limits {
  const here = value(tpr, fpr);
  let [down, up] = [0, 0];
  for (const ends of [found.map((x) => value(x, fpr)), wrong.map((y) => value(tpr, y))]) {
    down += Math.max(here - Math.min(...ends), 0) ** 2;
    up += Math.max(Math.max(...ends) - here, 0) ** 2;
  }
  return [Math.max(least, here - Math.sqrt(down)), Math.min(most, here + Math.sqrt(up))];
}

/** Limits of both rates, the default ones and Jeffreys': they are the same at every prevalence. */
interface Base {
  recall: Limits;
  wrong: Limits;
  found: Limits;
  alarms: Limits;
}

const bases = new WeakMap<Model, Map<string, Base>>();

function baseOf(model: Model, index: number, tail: number, at: (name: string) => [number, number]): Base {
  let kept = bases.get(model);
  if (!kept) bases.set(model, (kept = new Map()));
  const key = `${index} ${tail}`;
  let base = kept.get(key);
  if (!base) {
    base = { recall: proportion(...at("recall"), tail), wrong: proportion(...at("fpr"), tail), found: jeffreys(...at("recall"), tail), alarms: jeffreys(...at("fpr"), tail) };
    if (kept.size > 5_000) kept.clear();
    kept.set(key, base);
  }
  return base;
}

/** The limits of every metric at a point; null if the rows' weights do not tell their spread. */
export function limitsAt(model: Model, index: number, prevalence: number | null, level: number): Record<keyof Rates, Limits> | null {
  if (model.worth === false) return null;
  const tail = (1 - level) / 2;
  const cells = confusion(model, index);
  const [tpr, fpr] = [cells.tp / model.nPos, cells.fp / model.nNeg];
  const at = (name: string): [number, number] => rowsOf(model, name, index, cells);
  const { recall, wrong, found, alarms } = baseOf(model, index, tail, at);
  const specificity: Limits = [1 - wrong[1], 1 - wrong[0]];
  const youden = joined((x, y) => x - y, tpr, fpr, found, alarms, [-1, 1]);
  if (prevalence === null) {
    const [low, high] = proportion(...at("f1"), tail);
    const f1: Limits = [(2 * low) / (1 + low), (2 * high) / (1 + high)];
    return { recall, fpr: wrong, specificity, youden, f1, precision: proportion(...at("precision"), tail), npv: proportion(...at("npv"), tail), alertRate: proportion(...at("alertRate"), tail) };
  }
  const chance = prevalence / (1 - prevalence);
  const lr = ratio(tpr, recall, fpr, wrong);
  const precision: Limits = [odds(chance * lr[0]), odds(chance * lr[1])];
  const missed = ratio(1 - tpr, [1 - recall[1], 1 - recall[0]], 1 - fpr, specificity);
  const npv: Limits = [1 - odds(chance * missed[1]), 1 - odds(chance * missed[0])];
  const rest = 1 - prevalence;
  const f1 = joined((x, y) => (2 * prevalence * x) / (prevalence * x + rest * y + prevalence), tpr, fpr, found, alarms, WHOLE);
  const alertRate = joined((x, y) => prevalence * x + rest * y, tpr, fpr, found, alarms, WHOLE);
  return { recall, fpr: wrong, specificity, youden, f1, precision, npv, alertRate };
}
