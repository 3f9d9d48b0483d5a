/**
 *   node build/browser.mjs [folder]
 *
 * Bundles src/browser into dist/browser, or below another folder: the library, its worker, and chunks that are loaded when they are needed.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleForBrowsers } from "./browserBundle.mjs";
import { notice } from "./notice.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const out = join(resolve(process.argv[2] ?? join(project, "dist")), "browser");

const files = await bundleForBrowsers({ index: "browser/index.ts", worker: "browser/worker.ts" });
mkdirSync(out, { recursive: true });
for (const { fileName, code } of files) writeFileSync(join(out, fileName), code);
copyFileSync(join(dirname(fileURLToPath(import.meta.resolve("highs"))), "highs.wasm"), join(out, "highs.wasm"));
writeFileSync(join(out, "NOTICE.md"), notice(files.flatMap(({ moduleIds = [] }) => moduleIds)));
