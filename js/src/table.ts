// A file of rows in the browser: separated values as columns, with words for what is wrong.

export interface Columns {
  names: string[];
  rows: string[][];
}

/** Rows of a text with quotes as in RFC 4180; the separator is the one that the first line has most of. */
export function parse(text: string): Columns {
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
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

const NUMBER = /^[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf(inity)?)$/i;

export function toNumber(text: string): number {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed)) return NaN;
  return /inf/i.test(trimmed) ? (trimmed[0] === "-" ? -Infinity : Infinity) : Number(trimmed);
}

export const column = (table: Columns, index: number): string[] => table.rows.map((row) => row[index].trim());

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
