// Presentation: one chart at a time in large type, under one sentence that follows the controls.
import { count } from "./format";
import { sizeOf, wholeCells } from "./people";
import type { Store } from "./store";

/** What an audience is told: whole numbers of cases at the current threshold and prevalence. */
export function told(store: Store): string {
  const { cases, positive } = store.report;
  const size = Math.max(1_000, sizeOf(store));
  const cells = wholeCells(store, size);
  const positives = cells.tp + cells.fn;
  const alarms = `${count(cells.fp)} false ${cells.fp === 1 ? "alarm" : "alarms"}`;
  return `Of ${count(size)} ${cases} ${count(positives)} ${positives === 1 ? "is" : "are"} ${positive}: ${count(cells.tp)} found, ${count(cells.fn)} missed, ${alarms}.`;
}

export class Presentation {
  private at = 0;
  private panels: HTMLElement[];
  private before = 0;

  constructor(
    private shell: HTMLElement,
    private store: Store,
    private fit: () => void,
  ) {
    this.panels = [...shell.querySelectorAll<HTMLElement>("[data-plot]")]
      .map((plot) => plot.closest<HTMLElement>(".panel") as HTMLElement)
      .filter((panel, i, all) => all.indexOf(panel) === i);
    shell.querySelectorAll<HTMLElement>("[data-do='present']").forEach((button) => (button.onclick = () => this.toggle()));
    shell.querySelectorAll<HTMLElement>("[data-slide]").forEach((button) => (button.onclick = () => this.go(Number(button.dataset.slide))));
    // Capturing: in a presentation the arrows change the chart, whatever has the focus.
    (shell.getRootNode() as Document | ShadowRoot).addEventListener("keydown", (event) => this.key(event as KeyboardEvent), true);
  }

  get on(): boolean {
    return this.shell.classList.contains("presenting");
  }

  toggle(): void {
    const on = !this.on;
    if (on) this.before = window.scrollY;
    this.shell.classList.toggle("presenting", on);
    this.shell.querySelectorAll("[data-do='present']").forEach((button) => button.setAttribute("aria-pressed", String(on)));
    if (!on) this.panels.forEach((panel) => panel.classList.remove("slide"));
    this.go(0);
    if (!on) window.scrollTo(0, this.before);
  }

  private go(by: number): void {
    if (this.on) {
      this.at = (this.at + by + this.panels.length) % this.panels.length;
      this.panels.forEach((panel, i) => {
        panel.classList.toggle("slide", i === this.at);
        // Panels stand in sections, of which only that of the chart is shown.
        for (let node = panel.parentElement; node && node !== this.shell; node = node.parentElement) {
          if (i === this.at) node.classList.add("slide-way");
          else if (!node.contains(this.panels[this.at])) node.classList.remove("slide-way");
        }
      });
      this.shell.querySelectorAll("[data-out='slide-number']").forEach((node) => (node.textContent = `${this.at + 1} of ${this.panels.length}`));
      window.scrollTo(0, 0);
    } else this.shell.querySelectorAll(".slide-way").forEach((node) => node.classList.remove("slide-way"));
    this.fit();
    this.store.tell("model");
  }

  private key(event: KeyboardEvent): void {
    // A page that takes files is mounted anew for each.
    if (!this.on || !this.panels[0].isConnected || event.altKey || event.ctrlKey || event.metaKey || this.shell.hidden) return;
    const target = event.composedPath()[0] as HTMLElement;
    if (target instanceof HTMLInputElement && target.type === "text" && event.key !== "Escape") return;
    const moves: Record<string, () => void> = {
      ArrowRight: () => this.go(1),
      ArrowLeft: () => this.go(-1),
      PageDown: () => this.go(1),
      PageUp: () => this.go(-1),
      ArrowUp: () => this.store.step(-1),
      ArrowDown: () => this.store.step(1),
      Escape: () => this.toggle(),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  }
}
