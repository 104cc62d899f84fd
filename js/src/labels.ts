// Names beside their curves: where they cover no curve and no other name, or nowhere.

type Point = [number, number];
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Pixels of a line of letters. */
export const TALL = 15;
const CELL = 6;

/** The left end of a name's baseline, and where its leader meets the curve, if it stands apart from it. */
export interface Placed {
  at: Point;
  leader: [from: Point, to: Point] | null;
}

/** Where each name stands, or null if there is no room for it; earlier names choose first, and the first always has a place. */
export function placeLabels(curves: Point[][], all: Point[][], wide: number[], frame: Box, notes: Box[], tall = TALL): Array<Placed | null> {
  const taken = new Grid(all, frame);
  const placed = [...notes];
  return curves.map((curve, k) => {
    const own = all.indexOf(curve);
    let best: Box | null = null;
    let lowest = Infinity;
    for (const [x, y] of sampled(curve)) {
      // Down the left edge all curves rise together, and a name would belong to none of them.
      if (x < frame.left + 6 && y > (frame.top + frame.bottom) / 2) continue;
      // Where curves run together a name would say nothing.
      const crowd = 12 * taken.others(x, y, own);
      for (const [dx, dy] of [[9, tall - 1], [9, -6], [-9 - wide[k], -6], [-9 - wide[k], tall - 1], [12, 4], [-12 - wide[k], 4]]) {
        const box = { left: x + dx, right: x + dx + wide[k], top: y + dy - tall + 3, bottom: y + dy + 3 };
        if (box.left < frame.left + 2 || box.right > frame.right - 2 || box.top < frame.top + 2 || box.bottom > frame.bottom - 2) continue;
        if (placed.some((other) => box.left < other.right + 3 && other.left < box.right + 3 && box.top < other.bottom && other.top < box.bottom)) continue;
        const price = 10 * taken.covered(box) + crowd + Math.abs(x - (frame.left + frame.right) / 2) / 40;
        if (price < lowest) [best, lowest] = [box, price];
      }
    }
    if (best && (lowest <= 40 || (k === 0 && curve.length))) {
      placed.push(best);
      return { at: [best.left, best.bottom - 3], leader: null };
    }
    const apart = aside(curve, own, wide[k], tall, taken, placed, frame);
    if (apart) placed.push(apart.box);
    return apart && { at: [apart.box.left, apart.box.bottom - 3], leader: apart.leader };
  });
}

const LONGEST = 120;

/** A free place away from the curve, with a leader to the part of it that has the fewest others beside it. */
function aside(curve: Point[], own: number, wide: number, tall: number, taken: Grid, placed: Box[], frame: Box): { box: Box; leader: [Point, Point] } | null {
  const ends = sampled(curve)
    .filter(([x, y]) => x > frame.left + 10 && x < frame.right - 4 && y > frame.top + 4 && y < frame.bottom - 4)
    .map((point): [Point, number] => [point, taken.others(point[0], point[1], own)]);
  let best: { box: Box; leader: [Point, Point] } | null = null;
  let least = Infinity;
  for (let top = frame.top + 4; top + tall < frame.bottom - 4; top += tall + 2) {
    for (let left = frame.left + 8; left + wide < frame.right - 4; left += 24) {
      const box = { left, right: left + wide, top, bottom: top + tall };
      if (taken.covered(box) > 0) continue;
      if (placed.some((other) => box.left < other.right + 4 && other.left < box.right + 4 && box.top < other.bottom + 1 && other.top < box.bottom + 1)) continue;
      const middle = (box.top + box.bottom) / 2;
      for (const [to, crowd] of ends) {
        const from: Point = to[0] < box.left ? [box.left - 3, middle] : to[0] > box.right ? [box.right + 3, middle] : [to[0], to[1] < box.top ? box.top : box.bottom];
        const far = Math.hypot(from[0] - to[0], from[1] - to[1]);
        const price = far + 25 * crowd;
        if (far > 6 && far < LONGEST && price < least) [best, least] = [{ box, leader: [from, to] }, price];
      }
    }
  }
  return best;
}

/** Some points along a curve, evenly in pixels. */
function sampled(curve: Point[]): Point[] {
  const out: Point[] = [];
  let last: Point | null = null;
  for (const point of curve) {
    if (last && (point[0] - last[0]) ** 2 + (point[1] - last[1]) ** 2 < 100) continue;
    out.push(point);
    last = point;
  }
  return out;
}

/** Which curves run through the cells of a frame: a bit for each of the first 31, and one for all others. */
class Grid {
  private columns: number;
  private rows: number;
  private cells: Int32Array;

  constructor(
    all: Point[][],
    private frame: Box,
  ) {
    this.columns = Math.ceil((frame.right - frame.left) / CELL) + 1;
    this.rows = Math.ceil((frame.bottom - frame.top) / CELL) + 1;
    this.cells = new Int32Array(this.columns * this.rows);
    all.forEach((curve, k) => {
      for (let i = 1; i < curve.length; i++) {
        const [[ax, ay], [bx, by]] = [curve[i - 1], curve[i]];
        // Zoomed in, most of a curve is elsewhere.
        if (Math.max(ax, bx) < frame.left || Math.min(ax, bx) > frame.right || Math.max(ay, by) < frame.top || Math.min(ay, by) > frame.bottom) continue;
        const steps = Math.max(1, Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)) / CELL));
        for (let s = 0; s <= steps; s++) {
          const at = this.at(ax + ((bx - ax) * s) / steps, ay + ((by - ay) * s) / steps);
          if (at >= 0) this.cells[at] |= bit(k);
        }
      }
    });
  }

  /** The cell of a place, or -1 outside of the frame. */
  private at(x: number, y: number): number {
    const [column, row] = [Math.floor((x - this.frame.left) / CELL), Math.floor((y - this.frame.top) / CELL)];
    return column < 0 || column >= this.columns || row < 0 || row >= this.rows ? -1 : row * this.columns + column;
  }

  /** How many curves besides its own come near a point. */
  others(x: number, y: number, own: number): number {
    let found = 0;
    for (const dx of [-CELL, 0, CELL]) for (const dy of [-CELL, 0, CELL]) found |= this.cells[this.at(x + dx, y + dy)] ?? 0;
    let count = 0;
    for (found &= ~bit(own); found !== 0; found &= found - 1) count++;
    return count;
  }

  /** How many cells of a box a curve runs through. */
  covered(box: Box): number {
    let found = 0;
    for (let x = box.left; x <= box.right + CELL; x += CELL) for (let y = box.top; y <= box.bottom; y += CELL) if (this.cells[this.at(Math.min(x, box.right), y)]) found++;
    return found;
  }
}

const bit = (k: number): number => 1 << Math.min(k, 31);
