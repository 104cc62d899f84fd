// A file of labels and scores dropped on the page is read and counted here; nothing is sent anywhere.
import { clearly, Table, type Values } from "./columns";
import type { Report } from "./data";
import { count } from "./format";
import { decoded, parse } from "./table";
import { tally } from "./tally";

const MOST_OFFERED = 60;

export function takeFiles(shell: HTMLElement, ready: (report: Report) => void): void {
  const find = <T extends HTMLElement>(selector: string): T => shell.querySelector(selector) as T;
  const [file, label, positive] = ["file", "label", "positive"].map((name) => find<HTMLInputElement & HTMLSelectElement>(`[data-in="${name}"]`));
  const offered = find("[data-in='scores']");
  const put = (name: string, text: string): void => shell.querySelectorAll(`[data-out="${name}"]`).forEach((node) => (node.textContent = text));
  const counted = find(".counted").cloneNode(true) as HTMLElement;
  let table: Table | null = null;
  let called = "";
  shell.classList.add("js");

  const guarded = (work: () => void): void => {
    try {
      put("wrong", "");
      put("passed", "");
      work();
    } catch (error) {
      put("wrong", error instanceof Error ? error.message : String(error));
      find(".counted").hidden = true;
    }
    // What a test waits for.
    shell.dataset.read = String(Number(shell.dataset.read ?? 0) + 1);
  };

  /** The columns that can be labels: those of two values, and the one that is clearly meant. */
  const offer = (): void => {
    const all = table as Table;
    let clear = all.label();
    const two = all.names.map((_, i) => i).filter((i) => i === clear || all.pair(i));
    if (two.length === 0) throw new Error("One column must hold labels with exactly two values; there is none.");
    // The only column that can hold labels is not to be chosen, but what its two values mean.
    if (clear < 0 && two.length === 1 && clearly(all.pair(two[0]) as string[]) === null) clear = two[0];
    const choose = clear < 0 ? [new Option("choose …", "")] : [];
    label.replaceChildren(...choose, ...two.map((i) => new Option(all.names[i], String(i))));
    label.value = clear < 0 ? "" : String(clear);
    sides();
  };

  const sides = (): void => {
    const all = table as Table;
    positive.replaceChildren();
    offered.replaceChildren();
    if (label.value === "") throw new Error("Which column holds the labels? Choose it above.");
    const labels = Number(label.value);
    const pair = all.pair(labels);
    if (!pair) throw new Error(`Column ${all.said(labels)} must hold labels with exactly two values.`);
    const clear = clearly(pair);
    positive.replaceChildren(...(clear === null ? [new Option("choose …", "")] : []), ...pair.map((value) => new Option(value, value)));
    positive.value = clear ?? "";
    const others = all.names.map((_, i) => i).filter((i) => i !== labels);
    const boxes = others.slice(0, MOST_OFFERED).map((i) => {
      const box = Object.assign(document.createElement("input"), { type: "checkbox", value: String(i) });
      box.addEventListener("change", () => guarded(look));
      const around = document.createElement("label");
      around.append(box, Object.assign(document.createElement("bdi"), { textContent: all.names[i].slice(0, 60) }));
      return around;
    });
    offered.replaceChildren(...boxes);
    const { found, notes } = all.scores(labels);
    offered.querySelectorAll("input").forEach((box) => (box.checked = found.includes(Number(box.value))));
    put("passed", notes.join(" "));
    look(found);
  };

  const look = (chosen?: number[]): void => {
    const all = table as Table;
    const labels = Number(label.value);
    const scores = chosen ?? [...offered.querySelectorAll("input")].filter((box) => box.checked).map((box) => Number(box.value));
    if (scores.length === 0) throw new Error("Which columns are scores? Choose them above, one for each model.");
    if (positive.value === "") throw new Error("Which of the two labels is the positive one? Choose it above.");
    const truth = all.truth(labels, positive.value);
    const report = tally(called, truth, scores.map((i): [string, Values] => [all.names[i], all.values(i)]));
    put("title", called);
    put("standfirst", `${scores.length} ${scores.length > 1 ? "models" : "model"} on ${count(truth.length)} cases, ${count(truth.filter(Boolean).length)} of them positive.`);
    // Fresh elements for each file: nothing of the last one listens any more.
    const next = counted.cloneNode(true) as HTMLElement;
    next.hidden = false;
    find(".counted").replaceWith(next);
    ready(report);
  };

  const read = (given: File | undefined): void => {
    if (!given) return;
    called = given.name;
    void given.arrayBuffer().then((bytes) =>
      guarded(() => {
        [label, positive, offered].forEach((node) => node.replaceChildren());
        table = new Table(parse(decoded(new Uint8Array(bytes))));
        offer();
      }),
    );
  };
  file.addEventListener("change", () => read(file.files?.[0]));
  label.addEventListener("change", () => guarded(sides));
  positive.addEventListener("change", () => guarded(look));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    read(event.dataTransfer?.files[0]);
  });
}
