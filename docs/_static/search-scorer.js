// Search results: guides and reference first, records of decisions and notes for contributors last.
var Scorer = {
  score: ([docname, , , , score]) => {
    const moved = [
      [/^(index|tutorial)$/, 8],
      [/^guides\//, 12],
      [/^reference\//, 8],
      [/^(explanations|coming-from)\//, 4],
      [/^(validation|benchmarks|papers)\//, -10],
      [/^contributing\//, -20],
      [/^decisions\//, -30],
    ].find(([pattern]) => pattern.test(docname));
    return score + (moved ? moved[1] : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
