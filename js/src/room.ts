// How large a chart may be: in the cockpit the window says so, elsewhere the width.

/** Width and height of a host; the height is its own where the layout gives it one. */
export function room(host: HTMLElement, otherwise: number, most: number): [number, number] {
  const width = host.clientWidth;
  const fills = host.closest(".thr")?.classList.contains("cockpit") && host.closest(".panels");
  return [width, fills ? Math.max(host.clientHeight, 120) : Math.round(Math.min(otherwise, most))];
}
