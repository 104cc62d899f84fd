// What a text file looks like: its delimiter, and whether its first line names the columns. The library's rules.
import { isNumber } from "./number";

export interface Dialect {
  delimiter: string;
  header: boolean;
  names: string[];
  /** How all lines must end. */
  end: string;
}

const USUAL = [",", "\t", ";", "|", " "];
const NEVER = new Set("._+-\"'\r\n#%()/\\");
const SAMPLE = 4 * 1024 * 1024;
const SAMPLE_ROWS = 200;
const MOST_RARE = 20;
const LINES = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** Find the delimiter under which the lines agree best, and see whether the first one is a header. */
export function findDialect(text: string): Dialect {
  const sample = text.length > SAMPLE ? wholeLines(text.slice(0, SAMPLE)) : text;
  const candidates = delimiters(sample)
    .map((mark, order) => ({ mark, order, rows: sample.includes(mark) ? firstRows(sample, mark) : [] }))
    .filter(({ rows }) => rows.length > 0 && rows[0].length >= 2)
    .map((one) => ({ ...one, rating: rating(one.rows, one.order) }));
  if (!candidates.length) throw new Error(`The file must have at least two columns; its first line is "${sample.split(LINES)[0].slice(0, 60)}".`);
  const best = candidates.reduce((a, b) => (greater(b.rating, a.rating) ? b : a));
  const header = hasHeader(best.rows);
  return { delimiter: best.mark, header, names: named(best.rows[0], header), end: lineEnd(sample) };
}

function delimiters(text: string): string[] {
  const start = text.split(LINES, 3).join("");
  const rare = [...new Set(start)].filter((mark) => !/[\p{L}\p{N}]/u.test(mark) && !NEVER.has(mark) && !USUAL.includes(mark));
  return [...USUAL, ...rare.sort().slice(0, MOST_RARE)];
}

/** The first rows, as forgiving as a reader can be: what is wrong is said by the one that reads all of them. */
function firstRows(text: string, mark: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  let fresh = true;
  const finish = (): void => {
    if (row.length || cell !== "" || !fresh) rows.push([...row, cell]);
    [row, cell, fresh] = [[], "", true];
  };
  for (let i = 0; i < text.length && rows.length < SAMPLE_ROWS; i++) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"' && fresh) [quoted, fresh] = [true, false];
    else if (c === mark) {
      row.push(cell);
      [cell, fresh] = ["", true];
    } else if (c === "\n" || c === "\r") {
      if (c === "\r" && text[i + 1] === "\n") i++;
      finish();
    } else [cell, fresh] = [cell + c, false];
  }
  if (rows.length < SAMPLE_ROWS) finish();
  return rows;
}

/** How good a split is: lines of equal width, then fields that are numbers, then the usual delimiters. */
function rating(rows: string[][], order: number): number[] {
  const widths = new Map<number, number>();
  for (const row of rows) widths.set(row.length, (widths.get(row.length) ?? 0) + 1);
  const [width, often] = [...widths].reduce((a, b) => (b[1] > a[1] ? b : a));
  const fields = (rows.length > 1 ? rows.slice(1) : rows).flat();
  const numbers = fields.filter((field) => isNumber(field) || isNumber(field.replace(/,/g, "."))).length;
  return [width >= 2 ? often / rows.length : 0, numbers / Math.max(fields.length, 1), -order];
}

function greater(a: number[], b: number[]): boolean {
  const place = a.findIndex((value, i) => value !== b[i]);
  return place >= 0 && a[place] > b[place];
}

/** Whether the first line is text above a column of numbers, or all is text. */
function hasHeader(rows: string[][]): boolean {
  const [first, ...others] = rows;
  const body = others.filter((row) => row.length === first.length);
  const columns = first.map((_, i) => body.map((row) => row[i]));
  const numeric = columns.map((_, i) => i).filter((i) => isNumeric(columns[i]));
  if (!numeric.length) return !first.some(isNumber);
  const counted = first.every((field, i) => field.trim() === String(i));
  if (counted && numeric.some((i) => columns[i].every((field) => isNumber(field) && /[.eE]/.test(field)))) return true;
  return numeric.some((i) => !isNumber(first[i]));
}

function isNumeric(column: string[]): boolean {
  const filled = column.filter((field) => field.trim());
  return filled.length > 0 && filled.every(isNumber);
}

function named(first: string[], header: boolean): string[] {
  const names = first.map((field) => (header ? field.trim() : ""));
  // pandas leaves the name of the row numbers empty, which it writes first.
  if (names.length > 2 && !names[0] && names.slice(1).every(Boolean) && !names.includes("index")) names[0] = "index";
  return names.map((name, i) => name || `column${i}`);
}

/** How the first line ends; line ends within quotes are part of a name. */
function lineEnd(text: string): string {
  let quoted = false;
  for (const [found] of text.matchAll(/"|\r\n|\n|\r/g)) {
    if (found === '"') quoted = !quoted;
    else if (!quoted) return found;
  }
  return "\n";
}

/** The beginning of a file up to its last line end that is not within quotes. */
function wholeLines(text: string): string {
  let quotes = 0;
  let whole = 0;
  for (const found of text.matchAll(/"|\n/g)) {
    if (found[0] === '"') quotes++;
    else if (quotes % 2 === 0) whole = found.index + 1;
  }
  if (!whole) throw new Error("The first line of the file is too long: a quote may be open, or the file may be no table.");
  return text.slice(0, whole);
}
