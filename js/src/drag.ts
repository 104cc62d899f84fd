// A chart on which a press or a drag along the horizontal axis sets a value.
import { pointer } from "d3-selection";

export function draggable(svg: SVGSVGElement, set: (x: number) => void): void {
  let held = false;
  const at = (event: PointerEvent): void => set(pointer(event, svg)[0]);
  svg.classList.add("drags");
  svg.addEventListener("pointerdown", (event) => {
    held = true;
    svg.setPointerCapture(event.pointerId);
    at(event);
  });
  svg.addEventListener("pointermove", (event) => held && at(event));
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => (held = false));
}
