// Numbers as a reader sees them; the same rules as in the static part of the page.

export function rate(value: number, digits = 3): string {
  if (Number.isNaN(value)) return "–";
  const text = value.toFixed(digits);
  if (value < 1 && text === (1).toFixed(digits)) return ">" + (1 - 10 ** -digits).toFixed(digits);
  if (value > 0 && text === (0).toFixed(digits)) return "<" + (10 ** -digits).toFixed(digits);
  return text;
}

/** Writers of numbers by their decimals; making one takes a hundred times as long as using it. */
const WRITERS = [0, 1, 2].map((digits) => new Intl.NumberFormat("en-US", { maximumFractionDigits: digits }));

export function count(value: number): string {
  const digits = Number.isInteger(value) || value >= 1000 ? 0 : value >= 100 ? 1 : 2;
  return WRITERS[digits].format(value);
}

export function percent(share: number): string {
  if (Number.isNaN(share)) return "–";
  if (share === 0) return "0%";
  const value = share * 100;
  if (value >= 10) return `${Number(value.toFixed(value > 99 ? 2 : 1))}%`;
  return `${Number(value.toPrecision(2))}%`;
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
