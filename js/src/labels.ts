// Names beside their curves: where they cover no curve and no other name, or nowhere.

type Point = [number, number];
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const TALL = 15;
const CELL = 6;

/** The left end of each name's baseline, or null where there is no room for it; earlier names choose first. */
export function placeLabels(curves: Point[][], all: Point[][], wide: number[], frame: Box): Array<Point | null> {
  const taken = grid(all);
  const placed: Box[] = [];
  return curves.map((curve, k) => {
    let best: Box | null = null;
    let lowest = Infinity;
    for (const [x, y] of sampled(curve)) {
      // Down the left edge all curves rise together, and a name would belong to none of them.
      if (x < frame.left + 6 && y > (frame.top + frame.bottom) / 2) continue;
      const crowd = 12 * all.filter((other) => other !== curve && other.some(([u, v]) => Math.abs(u - x) < 9 && Math.abs(v - y) < 9)).length;
      for (const [dx, dy] of [[9, 14], [9, -6], [-9 - wide[k], -6], [-9 - wide[k], 14], [12, 4], [-12 - wide[k], 4]]) {
        const box = { left: x + dx, right: x + dx + wide[k], top: y + dy - TALL + 3, bottom: y + dy + 3 };
        if (box.left < frame.left + 2 || box.right > frame.right - 2 || box.top < frame.top + 2 || box.bottom > frame.bottom - 2) continue;
        if (placed.some((other) => box.left < other.right + 3 && other.left < box.right + 3 && box.top < other.bottom && other.top < box.bottom)) continue;
        // Where curves run together a name would say nothing.
        const price = 10 * covered(taken, box) + crowd + Math.abs(x - (frame.left + frame.right) / 2) / 40;
        if (price < lowest) [best, lowest] = [box, price];
      }
    }
    if (!best || lowest > 40) return null;
    placed.push(best);
    return [best.left, best.bottom - 3];
  });
}

/** Some points along a curve, evenly in pixels. */
function sampled(curve: Point[]): Point[] {
  const out: Point[] = [];
  let last: Point | null = null;
  for (const point of curve) {
    if (last && Math.hypot(point[0] - last[0], point[1] - last[1]) < 10) continue;
    out.push(point);
    last = point;
  }
  return out;
}

/** Cells through which a curve runs. */
function grid(all: Point[][]): Set<number> {
  const out = new Set<number>();
  for (const curve of all) {
    for (let k = 1; k < curve.length; k++) {
      const [[ax, ay], [bx, by]] = [curve[k - 1], curve[k]];
      const steps = Math.max(1, Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)) / CELL));
      for (let s = 0; s <= steps; s++) out.add(cell(ax + ((bx - ax) * s) / steps, ay + ((by - ay) * s) / steps));
    }
  }
  return out;
}

const cell = (x: number, y: number): number => Math.floor(x / CELL) * 10_000 + Math.floor(y / CELL);

function covered(taken: Set<number>, box: Box): number {
  let found = 0;
  for (let x = box.left; x <= box.right + CELL; x += CELL) for (let y = box.top; y <= box.bottom; y += CELL) if (taken.has(cell(Math.min(x, box.right), y))) found++;
  return found;
}
