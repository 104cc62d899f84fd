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
  areas: Record<string, [number, number | null, number | null]>;
  rocBand: Band | null;
  prBand: Band | null;
  /** None where scores are no probabilities. */
  cal: Calibration | null;
}

export type Span = [low: number, high: number, leader: number | null];

export interface Pair {
  a: number;
  b: number;
  fpr: Span[];
  recall: Span[];
}

export interface Report {
  title: string;
  prevalence: number | null;
  level: number;
  models: Model[];
  pairs: Pair[];
}

const number = (value: number | string): number => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value));

export function decode(text: string): Report {
  const report = JSON.parse(text) as Report;
  for (const model of report.models) {
    model.t = model.t.map(number);
    model.label = model.label.map(number);
  }
  return report;
}
