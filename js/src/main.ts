// Finds reports in the document and brings them to life: in a page of their own, or in a notebook's shadow DOM.
import { BalanceChart } from "./balance";
import { CalibrationChart } from "./calibration";
import { ConfusionPanel } from "./confusion";
import { Controls } from "./controls";
import { CostPanel } from "./cost";
import { decode } from "./data";
import { DecisionChart } from "./decision";
import { areasCsv, curvesCsv, save, savePng, saveSvg } from "./download";
import { HistogramChart } from "./histogram";
import { Plane } from "./plane";
import { Store, type Topic } from "./store";

function mount(root: Document | ShadowRoot): void {
  const shell = root.querySelector<HTMLElement>(".thr");
  const data = root.querySelector("script.thr-data");
  if (!shell || !data) return;
  const report = decode(data.textContent ?? "");
  const store = new Store(report);
  shell.classList.add("js");
  const host = (name: string): HTMLElement => shell.querySelector(`[data-plot="${name}"]`) as HTMLElement;
  const roc = new Plane(host("roc"), "roc", store);
  const pr = new Plane(host("pr"), "pr", store);
  const histogram = new HistogramChart(host("histogram"), store);
  const confusion = new ConfusionPanel(shell, store);
  const cost = new CostPanel(shell, host("cost"), store, [roc, pr]);
  const balance = new BalanceChart(host("balance"), store);
  const controls = new Controls(shell, store);
  const probable = report.models.some((model) => model.cal);
  const probability = probable ? [new CalibrationChart(shell, host("calibration"), store), new DecisionChart(shell, host("decision"), store)] : [];
  const charts = { roc, pr, histogram, cost };

  const cursor = (): void => {
    roc.drawCursor();
    pr.drawCursor();
    histogram.drawCursor();
    confusion.render();
    controls.render();
    cost.render();
    balance.render();
    probability.forEach((chart) => chart.render());
  };
  const planes = (): void => {
    roc.render();
    pr.render();
  };
  // At most one drawing a frame, however fast the pointer moves.
  const due = new Set<Topic>();
  const draw = (): void => {
    if (due.has("model")) histogram.render();
    if (due.has("model") || due.has("prevalence") || due.has("costs")) cost.find();
    if (due.has("model") || due.has("layers") || due.has("prevalence") || due.has("costs")) planes();
    due.clear();
    cursor();
  };
  store.on((topic) => {
    if (due.size === 0) window.requestAnimationFrame(draw);
    due.add(topic);
  });

  shell.querySelectorAll<HTMLElement>("[data-chart-tool]").forEach((button) => {
    button.addEventListener("click", () => {
      const [name, tool] = (button.dataset.chartTool as string).split(":");
      const chart = charts[name as keyof typeof charts];
      const pressed = button.getAttribute("aria-pressed");
      const on = pressed !== "true";
      if (pressed !== null) button.setAttribute("aria-pressed", String(on));
      const file = `thresher-${name}`;
      if (tool === "svg") saveSvg(chart.svg.node() as SVGSVGElement, file);
      else if (tool === "png") savePng(chart.svg.node() as SVGSVGElement, file);
      else if (tool === "straight") histogram.setStraight(on);
      else if (chart instanceof Plane) {
        if (tool === "log-x") chart.setLog("x", on);
        else if (tool === "log-y") chart.setLog("y", on);
        else if (tool === "box") chart.setBoxing(on);
        else if (tool === "in") chart.zoomBy(1.5);
        else if (tool === "out") chart.zoomBy(1 / 1.5);
        else if (tool === "reset") chart.reset();
      }
    });
  });
  const click = (name: string, act: () => void): void =>
    shell.querySelectorAll(`[data-do="${name}"]`).forEach((node) => node.addEventListener("click", act));
  const csv = (name: string, text: string): void => save(name, new Blob([text], { type: "text/csv;charset=utf-8" }));
  click("curves-csv", () => csv("thresher-curves.csv", curvesCsv(report.models)));
  click("areas-csv", () => csv("thresher-areas.csv", areasCsv(report.models)));
  click("theme", () => {
    const dark = shell.dataset.theme === "auto" ? window.matchMedia("(prefers-color-scheme: dark)").matches : shell.dataset.theme === "dark";
    shell.dataset.theme = dark ? "light" : "dark";
  });
  click("copy-methods", () => {
    const text = shell.querySelector<HTMLElement>("[data-text='methods']")?.innerText ?? "";
    const said = (word: string): void => shell.querySelectorAll("[data-do='copy-methods']").forEach((node) => (node.textContent = word));
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) said("Copying is not allowed here");
    else clipboard.writeText(text).then(() => said("Copied"), () => said("Copying is not allowed here"));
  });

  const all = [roc, pr, histogram, cost, balance, ...probability];
  const fit = (): void => all.forEach((chart) => chart.resize());
  new ResizeObserver(fit).observe(shell);
  cost.find();
  fit();
  cursor();
}

/** Where something fails, the page falls back to what it shows without scripts. */
function bring(root: Document | ShadowRoot): void {
  try {
    mount(root);
  } catch (error) {
    const shell = root.querySelector(".thr");
    shell?.classList.remove("js");
    shell?.querySelectorAll("svg.live").forEach((node) => node.remove());
    throw error;
  }
}

for (const host of document.querySelectorAll<HTMLElement>("[data-thresher-report]")) {
  if (host.shadowRoot) continue;
  const template = host.querySelector("template");
  if (!template) continue;
  const shadow = host.attachShadow({ mode: "open" });
  shadow.append(template.content.cloneNode(true));
  bring(shadow);
}
if (document.querySelector("body > .thr")) bring(document);
