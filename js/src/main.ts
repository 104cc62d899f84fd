// Finds reports in the document and brings them to life: in a page of their own, or in a notebook's shadow DOM.
import { restore, stateOf } from "./address";
import { BalanceChart } from "./balance";
import { ByThresholdChart } from "./bythreshold";
import { CalibrationChart } from "./calibration";
import { ConfusionPanel } from "./confusion";
import { Controls } from "./controls";
import { CostPanel } from "./cost";
import { decode, type Report } from "./data";
import { DecisionChart } from "./decision";
import { areasCsv, curvesCsv, save } from "./download";
import { takeFiles } from "./drop";
import { HistogramChart } from "./histogram";
import { ModelTable } from "./models";
import { Outlets } from "./outlets";
import { PeopleView } from "./people";
import { Plane } from "./plane";
import { Presentation, told } from "./present";
import { publish, slide, type Figure } from "./publish";
import { asPython } from "./python";
import { begin, join, tellSets } from "./sets";
import { Store, type Topic } from "./store";

/** Milliseconds of a frame that may pass before what can wait waits for the next one. */
const AT_ONCE = 4;

/** What stands below the cockpit: drawn as a whole, or only what moves with the threshold. */
interface Chart {
  render(): void;
  drawCursor(): void;
}

const COCKPIT = { width: 1240, height: 600, tall: 960 };
/** Heights beside each other in the right column: the matrix with all gaps, one model in the table, and a chart that can be read. */
const COLUMN = { matrix: 366, model: 39, chart: 190 };

function mount(shell: HTMLElement, report: Report): void {
  const store = new Store(report);
  const outlets = new Outlets(shell);
  shell.classList.add("js");
  shell.classList.toggle("single", report.models.length === 1);
  const host = (name: string): HTMLElement => shell.querySelector(`[data-plot="${name}"]`) as HTMLElement;
  shell.querySelectorAll("svg.live").forEach((node) => node.remove());
  const roc = new Plane(host("roc"), "roc", store);
  const pr = new Plane(host("pr"), "pr", store);
  const histogram = new HistogramChart(host("histogram"), store);
  const people = new PeopleView(outlets, host("people"), store);
  const table = new ModelTable(outlets, store);
  const confusion = new ConfusionPanel(outlets, store);
  const cost = new CostPanel(outlets, host("cost"), store, [roc, pr]);
  const balance = new BalanceChart(host("balance"), store);
  const controls = new Controls(outlets, store);
  const probable = report.models.some((model) => model.cal) && host("calibration");
  const probability = probable ? [new CalibrationChart(outlets, host("calibration"), store), new DecisionChart(outlets, host("decision"), store)] : [];
  const metrics = new ByThresholdChart(host("metrics"), store);
  const charts = { roc, pr, histogram, cost, metrics };

  // Charts below the cockpit are drawn while they are in sight.
  const below: Array<[Element, Chart]> = [
    [host("metrics"), metrics],
    [host("cost"), cost],
    [host("balance"), balance],
    ...probability.map((chart, k): [Element, Chart] => [host(k ? "decision" : "calibration"), chart]),
  ];
  const seen = new Set<Element>();
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) seen.add(target);
      else seen.delete(target);
      if (isIntersecting) below.filter(([node]) => node === target).forEach(([, chart]) => chart.render());
    }
  });
  below.forEach(([node]) => watch.observe(node));
  const cursor = (all: boolean): void => {
    roc.drawCursor();
    pr.drawCursor();
    histogram.drawCursor();
    people.render();
    confusion.render();
    controls.render();
    cost.tell();
    tellSets(shell, store);
    if (shell.classList.contains("presenting")) outlets.put("told", told(store));
    for (const [node, chart] of below) {
      if (!seen.has(node)) continue;
      if (all) chart.render();
      else chart.drawCursor();
    }
  };
  const ghost = (): void => {
    roc.drawGhost();
    pr.drawGhost();
    histogram.drawGhost();
  };
  const crossed = (): void => {
    roc.drawCross();
    pr.drawCross();
    table.readCross();
  };
  // At most one drawing a frame, however fast the pointer moves.
  const due = new Set<Topic>();
  const draw = (): void => {
    const other = due.has("model") || due.has("layers");
    const all = other || due.has("prevalence") || due.has("costs");
    if (due.has("model")) histogram.render();
    if (due.has("model") || due.has("prevalence") || due.has("costs")) cost.find();
    // ROC curves and their areas are the same at every balance.
    if (other) roc.render();
    else if (all) roc.drawOver();
    if (other || due.has("prevalence")) pr.render(false);
    else if (all) pr.drawOver();
    const only = [...due].every((topic) => topic === "cross" || topic === "ghost");
    if (due.has("cross")) crossed();
    due.clear();
    if (!only) cursor(all);
    ghost();
    if (!only) remember();
    owed ||= all;
  };
  // Names beside the curves and the areas of all models: a frame later where the curves took their time.
  const settle = (): void => {
    owed = false;
    pr.drawLegend();
    table.render();
  };
  let running = false;
  let owed = false;
  const frame = (): void => {
    const start = performance.now();
    if (owed) settle();
    else {
      draw();
      if (owed && performance.now() - start < AT_ONCE) settle();
    }
    running = owed || due.size > 0;
    if (running) window.requestAnimationFrame(frame);
  };
  store.on((topic) => {
    if (!running) window.requestAnimationFrame(frame);
    running = true;
    due.add(topic);
  });

  // The address, in a page of its own: a notebook's belongs to the notebook.
  const own = shell.parentNode === document.body;
  const addressed = own && !shell.classList.contains("blank");
  let waiting = 0;
  let written = "";
  const remember = (): void => {
    if (!addressed) return;
    // Where the reader stops: browsers take milliseconds to write it.
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      const state = stateOf(store);
      if (state === written) return;
      written = state;
      window.history.replaceState(null, "", `#${state}`);
    }, 250);
  };
  if (addressed) {
    restore(store, window.location.hash);
    window.addEventListener("hashchange", () => restore(store, window.location.hash));
  }

  const mm = (): number => Number(shell.querySelector<HTMLSelectElement>("[data-in='mm']")?.value ?? 120);
  shell.querySelectorAll<HTMLElement>("[data-chart-tool]").forEach((button) => {
    button.onclick = () => {
      const [name, tool] = (button.dataset.chartTool as string).split(":");
      const chart = charts[name as keyof typeof charts];
      const pressed = button.getAttribute("aria-pressed");
      const on = pressed !== "true";
      if (pressed !== null) button.setAttribute("aria-pressed", String(on));
      if (tool === "svg" || tool === "png") publish(shell, name as Figure, chart.svg.node() as SVGSVGElement, store, chart instanceof Plane ? chart : null, mm(), tool);
      else if (tool === "straight") histogram.setStraight(on);
      else if (chart instanceof Plane) {
        if (tool === "log-x") chart.setLog("x", on);
        else if (tool === "log-y") chart.setLog("y", on);
        else if (tool === "box") chart.setBoxing(on);
        else if (tool === "in") chart.zoomBy(1.5);
        else if (tool === "out") chart.zoomBy(1 / 1.5);
        else if (tool === "reset") chart.reset();
      }
    };
  });
  const click = (name: string, act: (node: HTMLElement) => void): void =>
    shell.querySelectorAll<HTMLElement>(`[data-do="${name}"]`).forEach((node) => (node.onclick = () => act(node)));
  const csv = (name: string, text: string): void => save(name, new Blob([text], { type: "text/csv;charset=utf-8" }));
  click("curves-csv", () => csv("thresher-curves.csv", curvesCsv(report.models)));
  click("areas-csv", () => csv("thresher-areas.csv", areasCsv(report.models)));
  for (const form of ["png", "svg"]) click(`slide-${form}`, () => slide(shell, store, [roc, pr], form));
  click("theme", () => {
    const dark = shell.dataset.theme === "auto" ? window.matchMedia("(prefers-color-scheme: dark)").matches : shell.dataset.theme === "dark";
    shell.dataset.theme = dark ? "light" : "dark";
  });
  click("copy-methods", (node) => copy(node, shell.querySelector<HTMLElement>("[data-text='methods']")?.innerText ?? ""));
  click("copy-python", (node) => copy(node, asPython(store)));
  click("copy-link", (node) => copy(node, `${window.location.href.split("#")[0]}#${stateOf(store)}`));

  const all = [roc, pr, histogram, people, metrics, cost, balance, ...probability];
  const panels = shell.querySelector(".panels") as HTMLElement;
  const fit = (): void => {
    if (!panels.isConnected || shell.hidden) return;
    shell.classList.toggle("cockpit", shell.clientWidth >= COCKPIT.width && window.innerHeight >= COCKPIT.height);
    // What stands above the panels, so that they end where the window does.
    const above = panels.getBoundingClientRect().top - shell.getBoundingClientRect().top;
    shell.style.setProperty("--above", `${Math.round(own ? Math.min(above, window.innerHeight * 0.4) : 0)}px`);
    // Beside the matrix and the models there is room for one chart more on a tall screen.
    const room = window.innerHeight - above - COLUMN.matrix - COLUMN.model * report.models.length;
    const tall = shell.classList.contains("cockpit") && (room >= COLUMN.chart || window.innerHeight >= COCKPIT.tall);
    const slot = shell.querySelector(`[data-slot="${tall ? "side" : "below"}"]`);
    const moves = shell.querySelector("[data-moves]");
    if (slot && moves && moves.parentElement !== slot) slot.append(moves);
    all.forEach((chart) => chart.resize());
    table.fit();
  };
  new ResizeObserver(fit).observe(shell);
  window.addEventListener("resize", fit);
  window.addEventListener("beforeprint", () => below.forEach(([, chart]) => chart.render()));
  cost.find();
  fit();
  table.render();
  table.fit();
  new Presentation(shell, store, () => {
    fit();
    outlets.put("told", told(store));
  });
  join({ shell, store, name: shell.dataset.name ?? "", fit: () => { fit(); table.render(); cursor(true); } });
  cursor(true);
}

function copy(node: HTMLElement, text: string): void {
  const before = node.dataset.said ?? node.textContent ?? "";
  node.dataset.said = before;
  const said = (word: string): void => {
    node.textContent = word;
    window.setTimeout(() => (node.textContent = before), 1600);
  };
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) said("Copying is not allowed here");
  else clipboard.writeText(text).then(() => said("Copied"), () => said("Copying is not allowed here"));
}

/** Where something fails, the page falls back to what it shows without scripts. */
function bring(shell: HTMLElement): void {
  try {
    const data = shell.querySelector("script.thr-data");
    if (data) mount(shell, decode(data.textContent ?? ""));
    else takeFiles(shell, (report) => mount(shell, report));
  } catch (error) {
    shell.classList.remove("js");
    shell.querySelectorAll("svg.live").forEach((node) => node.remove());
    throw error;
  }
}

for (const host of document.querySelectorAll<HTMLElement>("[data-thresher-report]")) {
  if (host.shadowRoot) continue;
  const template = host.querySelector("template");
  if (!template) continue;
  const shadow = host.attachShadow({ mode: "open" });
  shadow.append(template.content.cloneNode(true));
  shadow.querySelectorAll<HTMLElement>(".thr").forEach(bring);
}
document.querySelectorAll<HTMLElement>("body > .thr").forEach(bring);
begin();
