/**
 *   node build/browser.mjs [folder]
 *
 * Bundles src/browser into dist/browser, or below another folder: the library, its worker, and chunks that are loaded when they are needed.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundleForBrowsers } from "./browserBundle.mjs";
import { notice } from "./notice.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
/** Of the scripts of a run of UTF-8 files, packed. */
const LOADED_KIB_MAX = 700;
const out = join(resolve(process.argv[2] ?? join(project, "dist")), "browser");

const files = await bundleForBrowsers({ index: "browser/index.ts", worker: "browser/worker.ts" });
mkdirSync(out, { recursive: true });
// Chunks of former builds have other names.
for (const name of readdirSync(out)) if (name.endsWith(".js")) rmSync(join(out, name));
for (const { fileName, code } of files) writeFileSync(join(out, fileName), code);

/** Bytes of gzip of all that a run with a report page loads. */
function loadedBytes() {
  const needed = ["index", "worker", "reportPage", "settlementPage", "namedAwards"];
  const loaded = new Map();
  const visit = (name) => {
    const file = files.find(({ fileName }) => fileName === name);
    if (file === undefined || loaded.has(name)) return;
    loaded.set(name, gzipSync(file.code, { level: 9 }).length);
    file.imports.forEach(visit);
  };
  for (const { name, fileName } of files) if (needed.includes(name)) visit(fileName);
  return [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
}
const loadedKib = Math.ceil(loadedBytes() / 1024);
console.log(`${out}: a run loads ${loadedKib} KiB (gzip), at most ${LOADED_KIB_MAX}`);
if (loadedKib > LOADED_KIB_MAX) throw new Error("a run loads too much: name the chunks that it does not need");
copyFileSync(join(dirname(fileURLToPath(import.meta.resolve("highs"))), "highs.wasm"), join(out, "highs.wasm"));
writeFileSync(join(out, "NOTICE.md"), notice(files.flatMap(({ moduleIds = [] }) => moduleIds)));
