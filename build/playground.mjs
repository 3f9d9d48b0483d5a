/**
 *   node build/playground.mjs [folder]
 *
 * Builds the page of `vppsim playground` into dist/playground, or below another folder: any static host can serve it under any path.
 * Beside the page are its worker in one file, which it keeps in memory, and the gallery.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { browserScripts, bundleForBrowsers } from "./browserBundle.mjs";
import { bundleScript } from "./browserScripts.mjs";
import { packExamples } from "./examples.mjs";
import { notice } from "./notice.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const out = join(resolve(process.argv[2] ?? join(project, "dist")), "playground");

/** Added to the pages in frames. */
const frameScript = await bundleScript(join(project, "src/playground/frame/followLinks.ts"));

/** In the head of the page. */
const headScript = await bundleScript(join(project, "src/playground/head/startWorker.ts"));

/** A frame of a report has the page's policy beside its own, so the page admits the scripts of reports. */
const hashes = [browserScripts.page, browserScripts.timeCharts, frameScript, headScript].map(
  (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
);
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' ${hashes.join(" ")}`,
  "worker-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

// The page makes no plans and runs no studies.
const [worker] = await bundleForBrowsers(
  { worker: "browser/worker.ts" },
  { external: ["highs", "./planJob.ts", "./studyJob.ts"], codeSplitting: false },
);

/** What the page loads as it starts, by the id of its link. */
const PARTS = {
  worker: ["worker.js", worker.code],
  gallery: ["gallery.json", JSON.stringify(packExamples())],
  schema: [
    "schema.json",
    JSON.stringify(JSON.parse(readFileSync(join(project, "docs/schema/scenario.schema.json"), "utf8"))),
  ],
};

/** Texts of the page; those of reports are in its worker. */
const TEXTS = ["causes", "examples", "playground", "shell"];

const fewerTexts = {
  name: "fewer-texts",
  enforce: "pre",
  transform(code, id) {
    if (id !== join(project, "src/texts/catalogue.ts")) return null;
    return code.replace(/^ {2}\.\.\.(\w+),$/gm, (line, name) => (TEXTS.includes(name) ? line : ""));
  },
};

const addParts = {
  name: "add-parts",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle }) {
      const files = Object.values(bundle);
      const links = Object.entries(PARTS).map(([id, [name]]) => {
        const { fileName } = files.find(({ names = [] }) => names.includes(name));
        return `<link id="${id}" rel="preload" as="fetch" crossorigin href="./${fileName}">`;
      });
      const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
      return html.replace("<head>", ["<head>", policy, ...links, `<script>${headScript}</script>`].join("\n    "));
    },
  },
  generateBundle() {
    for (const [name, source] of Object.values(PARTS)) this.emitFile({ type: "asset", name, source });
  },
};

await build({
  configFile: false,
  root: join(project, "src/playground"),
  base: "./",
  logLevel: "warn",
  plugins: [react(), fewerTexts, addParts],
  define: { FRAME_SCRIPT: JSON.stringify(frameScript) },
  resolve: { alias: { "#platform": join(project, "src/platform/browser/platform.ts") } },
  build: {
    outDir: out,
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    license: { fileName: "NOTICE.md" },
  },
});
writeFileSync(join(out, "worker.NOTICE.md"), notice(worker.moduleIds));
// `vppsim playground <scenario>` serves the scenario in its place.
writeFileSync(join(out, "project.json"), "null");
