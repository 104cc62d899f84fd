// What the reader looks at, in the address after "#": a link to the page shows the same.
import { placeOf } from "./sets";
import type { Layer, Store } from "./store";

export function stateOf(store: Store): string {
  const parts = new URLSearchParams();
  const { report } = store;
  if (placeOf(store) > 0) parts.set("set", String(placeOf(store)));
  if (store.active !== report.ranked[0]) parts.set("model", String(store.active));
  parts.set("t", String(store.threshold));
  if (store.prevalence !== report.prevalence) parts.set("prevalence", store.prevalence === null ? "sample" : String(store.prevalence));
  if (store.hidden.size) parts.set("hide", [...store.hidden].join("-"));
  if (store.compared.length) parts.set("compare", store.compared.join("-"));
  const on = Object.entries(store.layers).filter(([, shown]) => shown).map(([name]) => name);
  if (on.join() !== "bands,chance") parts.set("layers", on.join("-"));
  return parts.toString();
}

export function restore(store: Store, hash: string): void {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const known = (text: string | null): number[] =>
    (text ?? "").split("-").map(Number).filter((i) => Number.isInteger(i) && i >= 0 && i < store.report.models.length);
  if (parts.has("model")) known(parts.get("model")).forEach((i) => store.choose(i));
  const share = parts.get("prevalence");
  if (share === "sample") store.balance(null);
  else if (share !== null && Number(share) > 0 && Number(share) < 1) store.balance(Number(share));
  if (parts.has("hide")) known(parts.get("hide")).forEach((i) => store.hide(i, true));
  if (parts.has("compare")) known(parts.get("compare")).forEach((i) => store.compare(i, true));
  if (parts.has("layers")) {
    const on = (parts.get("layers") as string).split("-");
    for (const name of Object.keys(store.layers) as Layer[]) store.show(name, on.includes(name));
  }
  const t = parts.get("t");
  if (t !== null && t !== "" && !Number.isNaN(Number(t))) store.pin(Number(t));
}
