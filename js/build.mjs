// Builds the committed assets: `node build.mjs [folder]`. Exact versions in package.json make it repeatable.
import { build } from "esbuild";
import { readFileSync, writeFileSync, mkdirSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "src", "thresher", "_report", "_assets");
mkdirSync(out, { recursive: true });

const result = await build({
  absWorkingDir: here,
  entryPoints: { report: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["es2020"],
  charset: "ascii",
  legalComments: "none",
  metafile: true,
});
await build({
  absWorkingDir: here,
  entryPoints: { report: "src/report.css" },
  outdir: out,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  target: ["es2020"],
});

// The licence of every module whose code is in the bundle stands beside it.
const names = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) names.add(found[1]);
}
const parts = ["The script report.js contains code of the modules below, under their licences.\n"];
for (const name of [...names].sort()) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((f) => join(folder, f)).find(existsSync);
  parts.push(`== ${name} ${version} (${license})\n\n${readFileSync(file, "utf8").trim()}\n`);
}
writeFileSync(join(out, "LICENSES.txt"), parts.join("\n"));
