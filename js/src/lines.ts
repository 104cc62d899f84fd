// How the line of a model looks: a colour and dashes, the same in every figure and in the library's drawings.

/** A piece of the model's line: colour and dashes. */
export function key(i: number): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("class", "key");
  svg.setAttribute("viewBox", "0 0 26 8");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("class", `s${i % 8} ${dashOf(i)}`);
  path.setAttribute("d", "M1,4H25");
  svg.append(path);
  return svg;
}

const DASHES = [0, 1, 2, 3, 4, 5, 2, 1];

/** Colours repeat after eight models; colour and dashes together after forty-eight. */
export function dashOf(i: number): string {
  return `d${(DASHES[i % 8] + Math.floor(i / 8)) % 6}`;
}
