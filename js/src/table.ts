// A file of rows in the browser: separated values as columns, with words for what is wrong.

export interface Columns {
  names: string[];
  rows: string[][];
}

/** Rows of a text with quotes as in RFC 4180; the separator is the one that the first line has most of. */
export function parse(text: string): Columns {
  // Blank lines above the header are passed over.
  const source = text.replace(/^\ufeff?( *(\r\n|\n|\r))*/, "");
  const first = source.slice(0, (source.search(/[\r\n]/) + source.length + 1) % (source.length + 1) || source.length);
  const separator = [",", "\t", ";"].reduce((best, one) => (first.split(one).length > first.split(best).length ? one : best));
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (source[i + 1] === '"') cell += source[++i];
      else quoted = false;
    } else if (c === '"' && cell.trim() === "") {
      quoted = true;
      cell = "";
    } else if (c === separator) {
      row.push(cell);
      cell = "";
    } else if (c === "\n" || c === "\r") {
      if (c === "\r" && source[i + 1] === "\n") i++;
      row.push(cell);
      if (row.length > 1 || cell !== "") rows.push(row);
      row = [];
      cell = "";
    } else cell += c;
  }
  row.push(cell);
  if (row.length > 1 || cell !== "") rows.push(row);
  const [names, ...body] = rows;
  if (!names || names.length < 2) throw new Error("The file must have a header and at least two columns, separated by commas, semicolons or tabs.");
  const short = body.findIndex((cells) => cells.length !== names.length);
  if (short >= 0) throw new Error(`Row ${short + 2} must have ${names.length} columns like the header; it has ${body[short].length}.`);
  if (body.length < 2) throw new Error("The file must have at least two rows below its header.");
  return { names: names.map((name) => name.trim()), rows: body };
}

// One grammar of numbers for the command, for scans and for this page: the patterns of number_text.py.
const NUMBER = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?";
const WORD = "[+-]?(inf|infinity|nan)";
const GROUPED = "[0-9]{1,3}([,.'_\\xa0\\u202f ][0-9]{3})+";
const NUMBER_LIKE = `${NUMBER}|[+-]?((${GROUPED}|[0-9]+(_[0-9]+)*)([.,][0-9]+)?|[.,][0-9]+)([eE][+-]?[0-9]+)?[ ]?%?`;
const MOST_EXACT = 2 ** 53;
const [number, word, like] = [NUMBER, WORD, NUMBER_LIKE].map((pattern) => new RegExp(`^(${pattern})$`));

/** A cell as a number; NaN for one that is none, is missing, or is beyond the largest double. */
export function toNumber(cell: string): number {
  const lower = cell.toLowerCase();
  if (word.test(lower)) return lower.includes("nan") ? NaN : lower[0] === "-" ? -Infinity : Infinity;
  const value = number.test(cell) ? Number(cell) : NaN;
  return Number.isFinite(value) ? value : NaN;
}

/** What a column holds: numbers in every row, numbers but for some rows, or text. */
export function kindOf(cells: string[]): "numbers" | "mixed" | "text" {
  const filled = cells.filter((cell) => cell !== "");
  const right = filled.filter((cell) => word.test(cell.toLowerCase()) || !Number.isNaN(toNumber(cell))).length;
  if (right === filled.length && right > 0) return "numbers";
  return Math.max(right, filled.filter((cell) => like.test(cell)).length) > filled.length / 2 ? "mixed" : "text";
}

/** What to do about a cell that is no number. */
function remedy(cell: string): string {
  if (["", "nan", "+nan", "-nan", "na", "n/a", "null", "none", "-", "?", "."].includes(cell.toLowerCase())) {
    return "missing values are never dropped silently; remove those rows or fill them";
  }
  if (number.test(cell)) return "it is beyond the largest double; write inf if it is meant to be infinite";
  if (/^[+-]?[0-9]*,[0-9]+$/.test(cell)) return "write decimals with a point, and thousands without a separator";
  if (like.test(cell)) return "write plain digits with a point for decimals, without separators or signs after them";
  return "replace it by a number, or remove the column";
}

/** The scores of a column, refused by name and row where a cell is none. */
export function scoresOf(name: string, cells: string[]): number[] {
  const values = cells.map(toNumber);
  const wrong = values.findIndex(Number.isNaN);
  if (wrong >= 0) {
    throw new Error(
      `Column ${name} must hold numbers only; row ${wrong} holds "${cells[wrong].slice(0, 40)}". ` +
        `Hint: ${remedy(cells[wrong])}. Rows are counted from 0, without the header.`,
    );
  }
  const large = cells.findIndex((cell, i) => /^[+-]?[0-9]+$/.test(cell) && Math.abs(values[i]) >= MOST_EXACT);
  if (large >= 0) {
    throw new Error(
      `Whole scores must be below 2**53 in magnitude, or others become equal to them; row ${large} of column ${name} holds ` +
        `${cells[large].slice(0, 40)}. Hint: the command \`thresher\` takes 64-bit integers.`,
    );
  }
  return values;
}

export const column = (table: Columns, index: number): string[] => table.rows.map((row) => row[index].replace(/^[ \t]+|[ \t]+$/g, ""));

/** The distinct values of a column, or null where there are more than two. */
export function pairOf(values: string[]): string[] | null {
  const seen = new Set<string>();
  for (const value of values) {
    seen.add(value);
    if (seen.size > 2) return null;
  }
  return [...seen].sort();
}

/** The positive one of two labels where nobody can doubt it. */
export function clearly(labels: string[]): string | null {
  const words = labels.map((label) => label.toLowerCase());
  for (const [negative, positive] of [["0", "1"], ["false", "true"], ["-1", "1"], ["0.0", "1.0"], ["-1.0", "1.0"]]) {
    if (words.every((word) => word === negative || word === positive)) return labels[words.indexOf(positive)] ?? null;
  }
  return null;
}
