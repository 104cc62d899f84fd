// What lies under the curves: chance, what no classifier reaches, the band, and who leads.
import type { Selection } from "d3-selection";
import { area } from "d3-shape";
import type { Band, Model } from "./data";
import { rate } from "./format";
import type { Box } from "./labels";
import { skewOf } from "./measures";
import type { Scale, Space } from "./paths";
import type { Store } from "./store";

type Layer = Selection<SVGGElement, unknown, null, undefined>;

/** The frame of a plane in pixels, and how values become pixels in it. */
export interface Frame {
  x: Scale;
  y: Scale;
  left: number;
  right: number;
  top: number;
  bottom: number;
  domain: [number, number];
  straight: boolean;
  whole: boolean;
}

export function drawUnderlay(layer: Layer, space: Space, store: Store, frame: Frame): void {
  const { layers, model, prevalence } = store;
  if (layers.lead) drawLead(layer, space, store, frame);
  if (layers.unachievable && space === "pr") drawUnachievable(layer, store.share, frame);
  if (layers.chance) {
    if (space === "roc") drawDiagonal(layer, frame);
    else drawShare(layer, store.share, frame);
  }
  if (!layers.bands) return;
  const band = space === "roc" ? model.rocBand : prevalence === null ? model.prBand : moved(model, prevalence);
  if (band) drawBand(layer, band, store.active, frame);
}

/** The band of precision at a known share of positives: odds of precision move with the odds of the share. */
function moved(model: Model, prevalence: number): Band | null {
  const band = model.knownBand;
  if (!band) return null;
  const factor = 1 / skewOf(model, prevalence);
  const at = (value: number): number => (value * factor) / (value * factor + 1 - value);
  return { x: band.x, low: band.low.map(at), high: band.high.map(at) };
}

function drawLead(layer: Layer, space: Space, store: Store, frame: Frame): void {
  const { active, rival, report } = store;
  const pair = report.pairs.find((p) => (p.a === active && p.b === rival) || (p.a === rival && p.b === active));
  if (!pair) return;
  for (const [low, high, leader, supported] of space === "roc" ? pair.fpr : pair.recall) {
    if (leader === null) continue;
    // A strip on the axis: full where the bands of both are apart, pale where the lead may be chance.
    layer
      .append("rect")
      .attr("class", `lead f${leader % 8}${supported ? "" : " unsure"}`)
      .attr("x", frame.x(low))
      .attr("width", Math.max(0, frame.x(high) - frame.x(low)))
      .attr("y", frame.bottom - 7)
      .attr("height", 7);
  }
}

function drawUnachievable(layer: Layer, share: number, frame: Frame): void {
  const [low, high] = frame.domain;
  const steps = Array.from({ length: 101 }, (_, i) => low + ((high - low) * i) / 100);
  const floor = (recall: number): number => (share * recall) / (share * recall + 1 - share);
  const shape = area<number>()
    .x(frame.x)
    .y0(frame.bottom)
    .y1((recall) => Math.min(frame.y(floor(recall)), frame.bottom))
    .digits(1);
  layer.append("path").attr("class", "unachievable").attr("d", shape(steps));
  if (frame.bottom - frame.y(floor(high)) > 34) {
    layer
      .append("text")
      .attr("class", "note")
      .attr("x", frame.right - 8)
      .attr("y", frame.bottom - 10)
      .attr("text-anchor", "end")
      .text("no classifier can be here");
  }
}

function drawDiagonal(layer: Layer, frame: Frame): void {
  const steps = frame.straight ? 1 : 160;
  const at = (i: number): number => (frame.straight ? i : 10 ** (-9 * (1 - i / steps)));
  const path = Array.from({ length: steps + 1 }, (_, i) => `${frame.x(at(i)).toFixed(1)},${frame.y(at(i)).toFixed(1)}`);
  layer.append("path").attr("class", "chance").attr("d", "M" + path.join("L"));
  if (!frame.straight || !frame.whole) return;
  const angle = (Math.atan2(frame.top - frame.bottom, frame.right - frame.left) * 180) / Math.PI;
  layer
    .append("text")
    .attr("class", "note")
    .attr("transform", `translate(${frame.x(0.63)},${frame.y(0.63)}) rotate(${angle})`)
    .attr("dy", -6)
    .text("chance");
}

/** About where the word at the line of chance stands, for names to keep away from. */
export function noteBox(space: Space, frame: Box, x: number, y: number): Box {
  if (space === "pr") {
    const base = frame.bottom - y > 20 ? y + 14 : y - 6;
    return { left: frame.left + 12, right: frame.left + 100, top: base - 11, bottom: base + 3 };
  }
  const [wide, tall] = [frame.right - frame.left, frame.bottom - frame.top];
  const part = 44 / Math.hypot(wide, tall);
  return { left: x - 10, right: x + part * wide, top: y - part * tall - 12, bottom: y - 4 };
}

function drawShare(layer: Layer, share: number, frame: Frame): void {
  const y = frame.y(share);
  layer.append("path").attr("class", "chance").attr("d", `M${frame.left},${y.toFixed(1)}H${frame.right}`);
  layer
    .append("text")
    .attr("class", "note")
    .attr("x", frame.left + 12)
    .attr("y", frame.bottom - y > 20 ? y + 14 : y - 6)
    .text(`chance ${rate(share)}`);
}

function drawBand(layer: Layer, band: Band, which: number, frame: Frame): void {
  const shape = area<number>()
    .x((i) => frame.x(band.x[i]))
    .y0((i) => frame.y(band.low[i]))
    .y1((i) => frame.y(band.high[i]))
    .digits(1);
  layer.append("path").attr("class", `band f${which % 8}`).attr("d", shape(band.x.map((_, i) => i)));
}
