// A file of labels and scores dropped on the page is read and counted here; nothing is sent anywhere.
import type { Report } from "./data";
import { count } from "./format";
import { clearly, column, kindOf, pairOf, parse, scoresOf, type Columns } from "./table";
import { tally } from "./tally";

/** Names of columns that say something else about a row. */
const OTHERS = /^(weights?|sample_weight|frequency|cluster|patient|groups?|fold|id|index|row|time|timestamp|unnamed: 0)$/i;

export function takeFiles(shell: HTMLElement, ready: (report: Report) => void): void {
  const find = <T extends HTMLElement>(selector: string): T => shell.querySelector(selector) as T;
  const [file, label, positive] = ["file", "label", "positive"].map((name) => find<HTMLInputElement & HTMLSelectElement>(`[data-in="${name}"]`));
  const put = (name: string, text: string): void => shell.querySelectorAll(`[data-out="${name}"]`).forEach((node) => (node.textContent = text));
  const counted = find(".counted").cloneNode(true) as HTMLElement;
  let table: Columns | null = null;
  let called = "";
  shell.classList.add("js");

  const guarded = (work: () => void): void => {
    try {
      put("wrong", "");
      put("left-out", "");
      work();
    } catch (error) {
      put("wrong", error instanceof Error ? error.message : String(error));
    }
  };

  /** The columns that can be labels: two values; those of a telling name first. */
  const offer = (): void => {
    const { names } = table as Columns;
    const two = names.map((_, i) => i).filter((i) => pairOf(column(table as Columns, i))?.length === 2);
    if (two.length === 0) throw new Error("One column must hold labels with exactly two values; there is none.");
    const telling = /^(y|y_?true|labels?|target|truth|class|outcome|positive)$/i;
    two.sort((a, b) => Number(telling.test(names[b])) - Number(telling.test(names[a])) || a - b);
    label.replaceChildren(...two.map((i) => new Option(names[i], String(i))));
    sides();
  };

  const sides = (): void => {
    const pair = pairOf(column(table as Columns, Number(label.value))) as string[];
    const clear = clearly(pair);
    positive.replaceChildren(...(clear === null ? [new Option("choose …", "")] : []), ...pair.map((value) => new Option(value, value)));
    positive.value = clear ?? "";
    look();
  };

  const look = (): void => {
    const all = table as Columns;
    const labels = Number(label.value);
    if (positive.value === "") throw new Error("Which of the two labels is the positive one? Choose it above.");
    const truth = column(all, labels).map((value) => value === positive.value);
    const scores: Array<[string, number[]]> = [];
    const left: string[] = [];
    all.names.forEach((name, i) => {
      if (i === labels) return;
      const cells = column(all, i);
      if (kindOf(cells) === "text" || OTHERS.test(name)) left.push(name);
      else scores.push([name, scoresOf(name, cells)]);
    });
    if (scores.length === 0) throw new Error("At least one column must hold scores, a number in every row; there is none.");
    if (left.length > 0) {
      put("left-out", `Not taken for scores, by their names or because they hold text: ${left.slice(0, 20).join(", ")}${left.length > 20 ? ", …" : ""}.`);
    }
    const report = tally(called, truth, scores);
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
    void given.text().then((text) =>
      guarded(() => {
        table = parse(text);
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
