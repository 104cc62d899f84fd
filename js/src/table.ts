// A file of rows in the browser, read by the rules of the library's command: separated values, nothing repaired.
import { findDialect } from "./dialect";

export interface Columns {
  names: string[];
  /** Cells as they stand in the file; null where they are empty. */
  rows: Array<Array<string | null>>;
  /** The line of the file on which the first row stands, counted from 1, if no cell has line ends. */
  first: number;
}

const STARTS: Array<[string, string]> = [
  ["PAR1", "Parquet"],
  ["ARROW1", "Arrow"],
  ["\xff\xff\xff\xff", "Arrow"],
  ["PK\x03\x04", "a workbook or NPZ"],
  ["\x1f\x8b", "packed by gzip"],
  ["thresher", "a file of counts"],
];

/** The text of a file, if it is text in UTF-8. */
export function decoded(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.slice(0, 64));
  const known = STARTS.find(([mark]) => start.startsWith(mark));
  if (known) throw new Error(`The file must be plain text; it is ${known[1]}. Read it with the command: thresher report FILE -o page.html`);
  if (bytes.includes(0)) throw new Error("The file must be text in UTF-8; it holds zero bytes. It may be UTF-16 or a binary file: save it as CSV in UTF-8.");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("The file must be text in UTF-8; it has other bytes. Save it as CSV in UTF-8.");
  }
}

/** The table in a text; whatever is no regular table is refused. */
export function parse(given: string): Columns {
  const blank = (/^( *(\r\n|\n|\r))*/.exec(given) as RegExpExecArray)[0];
  const text = given.slice(blank.length);
  if (!text.trim()) throw new Error("The file must have at least one row; it is empty.");
  const { delimiter, header, names, end } = findDialect(text);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`The columns must have different names; "${twice.slice(0, 60)}" occurs twice. Rename one.`);
  const above = blank.split(/\r\n|\n|\r/).length - 1;
  const rows = strict(text, delimiter, end, names.length, above);
  if (header) rows.shift();
  if (!rows.length) throw new Error("The file must have at least one row; it holds the names of columns only.");
  return { names, rows, first: above + 1 + Number(header) };
}

/** All rows, with quotes as in RFC 4180; spaces may stand around a quoted cell, and an empty cell after the last one. */
function strict(text: string, delimiter: string, end: string, width: number, above: number): Array<Array<string | null>> {
  const rows: Array<Array<string | null>> = [];
  let row: Array<string | null> = [];
  let line = above + 1;
  let i = 0;
  const open = (): Error => new Error(`Line ${line} has a quote that does not end. Mend that line.`);
  const finish = (): void => {
    if (row.length === width + 1 && row[width] === null) row.pop();
    if (row.length !== width) throw new Error(`Line ${line} has ${row.length} ${row.length === 1 ? "field" : "fields"} where the first has ${width}. Mend that line.`);
    rows.push(row);
    row = [];
  };
  while (i < text.length) {
    if (row.length === 0 && text.startsWith(end, i)) {
      i += end.length;
      line++;
      continue;
    }
    // A cell: in quotes, perhaps with spaces around them, or up to the next delimiter or line end.
    let start = i;
    while (delimiter !== " " && text[start] === " ") start++;
    let lines = 0;
    if (text[start] === '"') {
      let cell = "";
      for (i = start + 1; ; i++) {
        const next = text.indexOf('"', i);
        if (next < 0) throw open();
        cell += text.slice(i, next);
        i = next;
        if (text[i + 1] !== '"') break;
        cell += '"';
        i++;
      }
      i++;
      while (delimiter !== " " && text[i] === " ") i++;
      lines = cell.split(/\r\n|\n|\r/).length - 1;
      row.push(cell === "" ? null : cell);
    } else {
      start = i;
      while (i < text.length && text[i] !== delimiter && text[i] !== "\n" && text[i] !== "\r") i++;
      row.push(i === start ? null : text.slice(start, i));
    }
    if (text[i] === delimiter) {
      i++;
      line += lines;
      lines = 0;
      if (i === text.length) row.push(null);
      else if (text.startsWith(end, i)) row.push(null);
      else continue;
    }
    if (i >= text.length) {
      finish();
      break;
    }
    if (text.startsWith(end, i)) {
      finish();
      i += end.length;
      line += lines + 1;
    } else if (text[i] === "\n" || text[i] === "\r") throw new Error("The lines of the file end in different ways, or a quote does not end. Save it as CSV once more.");
    else throw open();
  }
  return rows;
}
