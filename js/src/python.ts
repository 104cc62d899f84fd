// The same operating point, asked of the library.
import type { Store } from "./store";

export function asPython(store: Store): string {
  const { model, prevalence } = store;
  const t = store.threshold === Infinity ? 'float("inf")' : store.threshold === -Infinity ? '-float("inf")' : String(store.threshold);
  const share = prevalence === null ? "" : `prevalence=${prevalence}`;
  const name = model.name.slice(0, 60).replace(/[\u0000-\u001f\u2028\u2029]/g, " ");
  return [
    "import thresher as th",
    "",
    `scores = th.Scores(y_true, y_score)  # ${name}`,
    `point = scores.pr(${share}).at(threshold=${t})`,
    "print(point)",
    `print(scores.roc_auc(), scores.pr_auc(${share}), sep="\\n")`,
    "",
  ].join("\n");
}
