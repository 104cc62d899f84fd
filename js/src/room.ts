// How large a chart may be: in the cockpit the window says so, elsewhere the width.

/** Width and height of a host; the height is its own where the layout gives it one: in the cockpit, and in a presentation. */
export function room(host: HTMLElement, otherwise: number, most: number): [number, number] {
  const width = host.clientWidth;
  const shell = host.closest(".thr");
  const fills = host.closest(".slide") ? shell?.classList.contains("presenting") : shell?.classList.contains("cockpit") && host.closest(".panels");
  return [width, fills ? Math.max(host.clientHeight, 120) : Math.round(Math.min(otherwise, most))];
}
