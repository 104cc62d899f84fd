// The one grammar of numbers in text files, as the library states it.

const NUMBER = /^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$/;
const WORD = /^[+-]?(inf|infinity|nan)$/;
const GROUPED = "[0-9]{1,3}([,.'_\\u00a0\\u202f ][0-9]{3})+";
/** What people and programs write for numbers in other ways. */
const LIKE = new RegExp(`^[+-]?((${GROUPED}|[0-9]+(_[0-9]+)*)([.,][0-9]+)?|[.,][0-9]+)([eE][+-]?[0-9]+)?[ ]?%?$`);
const MISSING = ["na", "n/a", "null", "none", "-", "?", ".", ""];

/** Text without the spaces and tabs that may stand around a number. */
export const trimmed = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, "");

export function isNumber(cell: string): boolean {
  const text = trimmed(cell);
  return WORD.test(text.toLowerCase()) || (NUMBER.test(text) && Number.isFinite(Number(text)));
}

export const isWhole = (cell: string): boolean => /^[+-]?[0-9]+$/.test(trimmed(cell));

export const isLikeNumber = (cell: string): boolean => NUMBER.test(trimmed(cell)) || LIKE.test(trimmed(cell));

export function toNumber(cell: string): number {
  const text = trimmed(cell).toLowerCase();
  if (!WORD.test(text)) return Number(text);
  return text.endsWith("nan") ? NaN : text[0] === "-" ? -Infinity : Infinity;
}

/** What to do about a cell that is no number. */
export function remedy(cell: string): string {
  const text = trimmed(cell);
  if (MISSING.includes(text.toLowerCase())) return "Remove that row or fill it: missing values are never dropped silently.";
  if (NUMBER.test(text)) return "It is beyond the largest double; write inf if it is meant to be infinite.";
  if (/^[+-]?[0-9]*,[0-9]+$/.test(text)) return "Write decimals with a point, and thousands without a separator.";
  if (LIKE.test(text)) return "Write plain digits with a point for decimals, without separators or signs after them.";
  return "Replace it by a number, or choose other columns.";
}
