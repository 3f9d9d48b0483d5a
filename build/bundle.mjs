/**
 *   node build/bundle.mjs [folder]
 *
 * Bundles src/ into dist/, or into another folder with the project's files beside it: the command with its parts as chunks that are loaded when they are needed, the library, the clients,
 * and the files that run in threads. Beside our own code it takes in the packages that every command loads, with their licences
 * in dist/NOTICE.md. All other packages stay imports.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { bundleBrowserScripts } from "./browserScripts.mjs";
import { notice } from "./notice.mjs";
import { packHolidays } from "./packHolidays.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const src = join(project, "src/");
const dist = resolve(process.argv[2] ?? join(project, "dist"));

/** Files that are started or imported by name. */
const ENTRIES = [
  "cli/main",
  "index",
  "api/client/index",
  "live/drill/gradeThread",
  "report/parts/partsThread",
  "report/tables/tableThread",
  "live/session/sessionThread",
  "study/node/queue/partThread",
  "study/node/studyWorker",
  "study/node/boundWorker",
];

/** Packages of many files, or that every command needs: read one by one, they take longer to load than our own code. */
const BUNDLED = [
  "@holiday-jp/holiday_jp",
  "commander",
  "csv-parse",
  "csv-stringify",
  "fastest-levenshtein",
  "hyparquet",
  "luxon",
  "yaml",
];

const isOf = (specifier, name) => specifier === name || specifier.startsWith(`${name}/`);
const isExternal = (specifier) =>
  specifier.startsWith("node:") || (/^[@a-z]/.test(specifier) && !BUNDLED.some((name) => isOf(specifier, name)));

/**
 * Modules find files beside themselves by import.meta.url. In a chunk, each keeps the URL that it would have as a file of its own in
 * dist/. All chunks lie one folder below dist/.
 */
const keepModuleUrls = {
  name: "keep-module-urls",
  transform(code, id) {
    if (!id.startsWith(src)) return null;
    const place = relative(src, id).replace(/\.ts$/, ".js");
    for (const [, thread] of code.matchAll(/openThread\("([^"]+)"/g))
      assert.ok(ENTRIES.includes(thread), `${place} starts ${thread}, which is among the entries`);
    if (!code.includes("import.meta.url")) return null;
    for (const [, file] of code.matchAll(/new URL\("\.\/(\w+)\.ts", import/g))
      assert.ok(ENTRIES.includes(join(dirname(place), file)), `${place} starts ${file}, which is among the entries`);
    return { code: code.replaceAll("import.meta.url", `new URL("../${place}", import.meta.url).href`), map: null };
  },
};

const browserScripts = JSON.stringify(await bundleBrowserScripts());

/** The scripts of pages as texts, in place of the module that bundles them from the source. */
const insertBrowserScripts = {
  name: "insert-browser-scripts",
  load(id) {
    if (id !== join(src, "report/html/charts/browserScripts.ts")) return null;
    return { code: `export const BROWSER_SCRIPTS = ${browserScripts};`, moduleType: "js" };
  },
};

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: project,
  platform: "node",
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(src, `${entry}.ts`)])),
  external: isExternal,
  transform: { target: "node20.19" },
  // The same code as modules of ECMAScript: CommonJS modules are functions of their own, which are all called at the start.
  resolve: { alias: { yaml: join(project, "node_modules/yaml/browser/dist/index.js") } },
  plugins: [keepModuleUrls, packHolidays, insertBrowserScripts],
});
const { output } = await bundle.write({
  dir: dist,
  format: "esm",
  sourcemap: true,
  comments: { legal: true, annotation: false, jsdoc: false },
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
});
await bundle.close();

const chunks = output.filter(({ type }) => type === "chunk");
for (const { fileName, code } of chunks)
  if (code.includes("import.meta.url"))
    assert.equal(dirname(dirname(fileName)), ".", `${fileName} lies one folder below dist/, as its URLs assume`);
writeFileSync(
  join(dist, "NOTICE.md"),
  notice([...chunks.flatMap(({ moduleIds }) => moduleIds), join(project, "node_modules/uplot/package.json")]),
);
