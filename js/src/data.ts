// The page's data, as the library wrote it.

export interface Band {
  x: number[];
  low: number[];
  high: number[];
}

export interface Histogram {
  edges: number[];
  pos: number[];
  neg: number[];
  /** Scores are whole numbers, and edges lie halfway between two of them. */
  whole: boolean;
}

/** Blocks of isotonic regression, highest scores first: block j covers those from high[j] down to low[j]. */
export interface Calibration {
  high: number[];
  low: number[];
  pos: number[];
  neg: number[];
  honest: Band | null;
  consistency: Band | null;
}

/** Point i calls a case positive when its score is at least t[i]; t[0] is infinite and calls nothing. */
export interface Model {
  name: string;
  nPos: number;
  nNeg: number;
  weighted: boolean;
  t: number[];
  /** Short numbers that make the same calls as t. */
  label: number[];
  tp: number[];
  fp: number[];
  hull: number[];
  start: number;
  nPoints: number;
  hist: Histogram;
  areas: Record<string, Interval>;
  rocBand: Band | null;
  /** At the sample's own share of positives, which is estimated too. */
  prBand: Band | null;
  /** If that share were known: in odds of precision it moves with the share. */
  knownBand: Band | null;
  /** The interpolated area at the sample's own share, where the report was asked for another. */
  own: Interval | null;
  /** What the ranking goes by, more being better. */
  score: number | null;
  /** The same as it is, with its interval. */
  metric: Interval | null;
  /** None where scores are no probabilities. */
  cal: Calibration | null;
  /** What weighted or dependent rows are worth; null if rows count alike, false if that is not known. */
  worth: Worth | false | null;
}

/** For how many rows of equal weight a unit of weight counts in a proportion, at some of the points. */
export interface Worth {
  at: number[];
  recall: number[];
  fpr: number[];
  precision: number[];
  npv: number[];
  f1: number[];
  alertRate: number[];
}

export type Interval = [value: number, low: number | null, high: number | null];
/** `supported`: the bands of both curves are apart there. */
export type Span = [low: number, high: number, leader: number | null, supported: 0 | 1];

export interface Pair {
  a: number;
  b: number;
  /** a minus b: value, low, high, adjusted p, and p with one more misranked case if that case would undo the finding. */
  diff: [value: number, low: number | null, high: number | null, p: number | null, oneMore: number | null] | null;
  fpr: Span[];
  recall: Span[];
}

export interface Report {
  title: string;
  prevalence: number | null;
  level: number;
  ranked: number[];
  metric: string;
  /** What readers call the rows, and a positive one. */
  cases: string;
  positive: string;
  models: Model[];
  pairs: Pair[];
}

const number = (value: number | string): number => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value));

/** As it is written: labels as a number of digits of t, counts as what each point adds. */
interface Written extends Omit<Model, "label" | "tp" | "fp"> {
  label: Array<number | string>;
  tp?: number[];
  fp?: number[];
  dtp?: number[];
  dfp?: number[];
}

export function decode(text: string): Report {
  const report = JSON.parse(text) as Report;
  for (const model of report.models as unknown as Written[]) {
    model.t = model.t.map(number);
    model.label = model.label.map((label, i) => (typeof label === "string" ? number(label) : cut(model.t[i], label)));
    if (model.dtp) model.tp = sums(model.dtp);
    if (model.dfp) model.fp = sums(model.dfp);
  }
  return report;
}

function sums(steps: number[]): number[] {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

/** The first digits of a positive number, from the first that is not 0 on. */
function cut(value: number, digits: number): number {
  const text = String(value);
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] >= "0" && text[i] <= "9" && (seen > 0 || text[i] !== "0")) seen++;
    if (seen > digits) return Number(text.slice(0, i));
  }
  return value;
}
