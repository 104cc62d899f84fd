// Numbers as a reader sees them; the same rules as in the static part of the page.

/** Rates from which on 3, 4, ... decimals are enough. */
const SIZES = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
const MOST_DECIMALS = 8;
/** 1 - 0.9855 is a little less than 0.0145. */
const SLACK = 1e-12;

/** How many decimals a rate needs: it and its complement have two significant digits then. */
export function decimals(value: number, least = 3): number {
  const rare = Math.min(value, 1 - value) * (1 + 1e-9);
  if (!(rare > 0)) return least;
  const place = SIZES.findIndex((size) => rare >= size);
  return Math.max(least, place < 0 ? MOST_DECIMALS : place + 3);
}

/** A rate with so many decimals, such that it and its complement add up to 1. */
function rounded(value: number, digits: number): string {
  if (value > 0.5) return (1 - Number((1 - value + SLACK).toFixed(digits))).toFixed(digits);
  return (value + SLACK).toFixed(digits);
}

export function rate(value: number, least = 3): string {
  if (Number.isNaN(value)) return "–";
  const digits = decimals(value, least);
  const text = rounded(value, digits);
  if (value < 1 && text === (1).toFixed(digits)) return ">" + (1 - 10 ** -digits).toFixed(digits);
  if (value > 0 && text === (0).toFixed(digits)) return "<" + (10 ** -digits).toFixed(digits);
  return text;
}

/** Writers of numbers by their decimals; making one takes a hundred times as long as using it. */
const WRITERS = [0, 1, 2, 3, 4, 5, 6].map((digits) => new Intl.NumberFormat("en-US", { maximumFractionDigits: digits }));

/** A count as it is; one that is expected, or a sum of weights, with three significant digits or whole. */
export function count(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return WRITERS[0].format(value);
  let digits = 1;
  while (digits < 6 && Math.abs(value) < 10 ** (2 - digits)) digits++;
  return WRITERS[digits].format(Number(value.toFixed(digits)));
}

/** A share in percent: the digits of `rate`, so that both say the same number. */
export function percent(share: number): string {
  if (Number.isNaN(share)) return "–";
  const digits = decimals(share);
  return `${Number((Number(rounded(share, digits)) * 100).toFixed(digits - 2))}%`;
}

export function threshold(value: number): string {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  return String(value).replace(/-/g, "−");
}

export function money(value: number): string {
  const digits = value >= 100 || value === 0 ? 0 : value >= 10 ? 1 : 2;
  return WRITERS[digits].format(value);
}

/** A name cut in its middle, set apart so that its direction of writing leaves its neighbours alone. */
export function short(name: string, longest = 26): string {
  const characters = Array.from(name);
  const head = Math.floor((longest * 2) / 3);
  const cut =
    characters.length <= longest
      ? name
      : characters.slice(0, head).join("") + "…" + characters.slice(characters.length - (longest - head - 1)).join("");
  return `\u2068${cut}\u2069`;
}
