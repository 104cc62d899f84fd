// Where the page shows words and numbers that change: found once, written only when they differ.

export class Outlets {
  private known = new Map<string, { nodes: Element[]; text: string | null }>();

  constructor(readonly root: ParentNode) {}

  /** Write a text wherever its name stands in `data-out`. */
  put(name: string, text: string): void {
    let place = this.known.get(name);
    if (!place) this.known.set(name, (place = { nodes: [...this.root.querySelectorAll(`[data-out="${name}"]`)], text: null }));
    if (place.text === text) return;
    place.text = text;
    for (const node of place.nodes) node.textContent = text;
  }
}
