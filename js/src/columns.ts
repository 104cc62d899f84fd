// Which columns are labels and scores: found where there is no doubt, by the rules of the library's command.
import { isLikeNumber, isNumber, isWhole, remedy, toNumber, trimmed } from "./number";
import type { Columns } from "./table";

export type Kind = "bool" | "whole" | "real" | "text" | "mixed";

const LABEL_NAMES = ["label", "labels", "y_true", "y", "target", "class", "outcome", "truth"];
const NOT_SCORES = ["weight", "weights", "sample_weight", "frequency", "cluster", "patient", "group", "groups", "fold", "id", "index", "time", "timestamp"];
const INDEX = ["index", "Unnamed: 0", "__index_level_0__"];
const MODEL_NAMES = ["model", "classifier", "method", "algorithm", "estimator", "scorer"];
const MOST_GUESSED = 500;
const MOST_MODELS = 50;
const LEAST_ROWS = 10;
const [LEAST_INT, MOST_INT] = [-(2n ** 63n), 2n ** 63n - 1n];
const MOST_EXACT = 2n ** 53n;

/** The values of a column of scores; whole numbers that doubles would make equal stay whole. */
export type Values = number[] | bigint[];

export class Table {
  private kinds = new Map<number, { kind: Kind; large: boolean }>();

  constructor(readonly columns: Columns) {}

  get names(): string[] {
    return this.columns.names;
  }

  cells(i: number): Array<string | null> {
    return this.columns.rows.map((row) => row[i]);
  }

  kind(i: number): Kind {
    return this.look(i).kind;
  }

  private look(i: number): { kind: Kind; large: boolean } {
    const known = this.kinds.get(i);
    if (known) return known;
    const [count, filled] = [{ whole: 0, real: 0, bool: 0, alike: 0, large: 0 }, this.cells(i).filter((cell) => cell !== null)];
    for (const cell of filled as string[]) {
      const text = trimmed(cell);
      if (isWhole(text)) {
        const value = BigInt(text.replace("+", ""));
        if (value >= LEAST_INT && value <= MOST_INT) count.whole++;
        if (value >= MOST_EXACT || value <= -MOST_EXACT) count.large++;
      }
      if (isNumber(text)) count.real++;
      else if (/^(true|false)$/i.test(text)) count.bool++;
      if (isLikeNumber(text)) count.alike++;
    }
    const all = (n: number): boolean => n === filled.length && n > 0;
    const kind = all(count.whole) ? "whole" : all(count.real) ? "real" : all(count.bool) ? "bool" : Math.max(count.real, count.alike) > filled.length / 2 ? "mixed" : "text";
    const found: { kind: Kind; large: boolean } = { kind, large: count.large > 0 };
    this.kinds.set(i, found);
    return found;
  }

  /** What stands in a column of labels, equal numbers as one; null where it is missing. */
  labels(i: number): Array<string | null> {
    const kind = this.kind(i);
    return this.cells(i).map((cell) => {
      if (cell === null) return null;
      if (kind === "whole") return String(BigInt(trimmed(cell).replace("+", "")));
      if (kind === "real") return String(toNumber(cell));
      return kind === "bool" ? trimmed(cell).toLowerCase() : cell;
    });
  }

  /** The distinct labels of a column, if there are two. */
  pair(i: number): string[] | null {
    const found = new Set(this.labels(i));
    found.delete(null);
    return found.size === 2 ? ([...found] as string[]).sort() : null;
  }

  isBinary(i: number): boolean {
    if (this.kind(i) === "text" || this.kind(i) === "mixed") return false;
    if (this.kind(i) === "bool") return true;
    const values = new Set(this.labels(i));
    values.delete(null);
    return [["0", "1"], ["-1", "1"]].some((two) => [...values].every((value) => two.includes(value as string)));
  }

  /** The column that is clearly the label; -1 where there is doubt. */
  label(): number {
    const all = this.few(this.names.map((_, i) => i));
    const named = all.filter((i) => LABEL_NAMES.includes(this.names[i].toLowerCase()));
    if (named.length === 1) return named[0];
    const whole = named.length ? named : all.filter((i) => ["bool", "whole"].includes(this.kind(i)));
    const binary = whole.filter((i) => this.isBinary(i));
    return binary.length === 1 ? binary[0] : -1;
  }

  private few(columns: number[]): number[] {
    if (columns.length > MOST_GUESSED) throw new Error(`The file has ${columns.length} columns, too many to look for labels and scores among them.`);
    return columns;
  }

  /** The columns that are clearly scores; none where there is doubt. Notes say what is passed over. */
  scores(label: number): { found: number[]; notes: string[] } {
    const left = this.few(this.names.map((_, i) => i).filter((i) => i !== label));
    const index = left.filter((i) => INDEX.includes(this.names[i]) && this.kind(i) === "whole");
    const found = this.guessed(left.filter((i) => !index.includes(i)));
    this.refuseTidy(left.filter((i) => !found.includes(i)), found);
    const notes = index.map((i) => `Column ${this.said(i)} is taken for row numbers, not for a score.`);
    const passed = left.filter((i) => !found.includes(i) && !index.includes(i));
    if (found.length && passed.length) notes.push(`No scores, because they hold no numbers: ${passed.slice(0, 5).map((i) => this.said(i)).join(", ")}${passed.length > 5 ? ", ..." : ""}.`);
    return { found, notes };
  }

  private guessed(columns: number[]): number[] {
    // A column of numbers but for some rows is a score with a flaw, which reading it will name; never one to pass over.
    const real = columns.filter((i) => ["real", "mixed"].includes(this.kind(i)));
    const whole = columns.filter((i) => ["whole", "bool"].includes(this.kind(i)));
    const unlikely = (i: number): boolean => NOT_SCORES.includes(this.names[i].toLowerCase());
    if (real.length && !whole.length && !real.some(unlikely)) return real;
    if (whole.length === 1 && !real.length && !unlikely(whole[0])) return whole;
    return columns.length === 1 ? columns : [];
  }

  /** Refuse models that stand one below the other: taken together they would be one model that nobody made. */
  private refuseTidy(columns: number[], scores: number[]): void {
    if (scores.length !== 1) return;
    for (const i of columns) {
      if (!MODEL_NAMES.includes(this.names[i].toLowerCase()) && this.kind(i) !== "text") continue;
      const counts = new Map<string | null, number>();
      for (const cell of this.cells(i)) counts.set(cell, (counts.get(cell) ?? 0) + 1);
      const even = new Set(counts.values()).size === 1 && Math.min(...counts.values()) >= LEAST_ROWS;
      if (!even || counts.has(null) || counts.size < 2 || counts.size > MOST_MODELS) continue;
      throw new Error(`Each model must have a column of its own; the values of ${this.said(i)} have the same number of rows each, as models below one another have. Choose the scores above if all rows are one model.`);
    }
  }

  said(i: number): string {
    return `"${this.names[i].slice(0, 40)}"`;
  }

  private row(j: number): number {
    return this.columns.first + j;
  }

  /** The scores of a column, a number in every row. */
  values(i: number): Values {
    const { kind, large } = this.look(i);
    const cells = this.cells(i);
    if (kind !== "whole" && kind !== "real") {
      const bad = cells.findIndex((cell) => cell !== null && !isNumber(cell));
      if (bad < 0) throw new Error(`Column ${this.said(i)} must hold numbers; every row is empty.`);
      const cell = cells[bad] as string;
      throw new Error(`Row ${this.row(bad)} of column ${this.said(i)} must be a number; it is "${cell.slice(0, 40)}". ${remedy(cell)}`);
    }
    if (kind === "real" && large) {
      const bad = cells.findIndex((cell) => cell !== null && isWhole(cell) && (BigInt(trimmed(cell).replace("+", "")) >= MOST_EXACT || BigInt(trimmed(cell).replace("+", "")) <= -MOST_EXACT));
      throw new Error(`Row ${this.row(bad)} of column ${this.said(i)} must be exact as a 64-bit integer or as a double, or others become equal to it; it is ${(cells[bad] as string).slice(0, 60)}.`);
    }
    const missing = cells.findIndex((cell) => cell === null || Number.isNaN(toNumber(cell)));
    if (missing >= 0) throw new Error(`Row ${this.row(missing)} of column ${this.said(i)} must be a number; it is missing. ${remedy("")}`);
    if (large) return cells.map((cell) => BigInt(trimmed(cell as string).replace("+", "")));
    return cells.map((cell) => toNumber(cell as string));
  }

  /** Which rows have the positive label. */
  truth(i: number, positive: string): boolean[] {
    const labels = this.labels(i);
    const missing = labels.findIndex((label) => label === null || label === "NaN");
    if (missing >= 0) throw new Error(`Row ${this.row(missing)} of column ${this.said(i)} must have a label; it is missing. ${remedy("")}`);
    return labels.map((label) => label === positive);
  }
}

/** The positive one of two labels where nobody can doubt it. */
export function clearly(labels: string[]): string | null {
  const sets = [["0", "1"], ["false", "true"], ["-1", "1"]];
  const found = sets.find((two) => labels.every((label) => two.includes(label)));
  return found && labels.includes(found[1]) ? found[1] : null;
}
