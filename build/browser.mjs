/**
 *   node build/browser.mjs [folder]
 *
 * Bundles src/browser into dist/browser, or below another folder: the library, its worker, and chunks that are loaded when they are needed.
 */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { bundleBrowserScripts } from "./browserScripts.mjs";
import { notice } from "./notice.mjs";
import { packHolidays } from "./packHolidays.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const src = join(project, "src/");
const out = join(resolve(process.argv[2] ?? join(project, "dist")), "browser");

/** Texts of data/ by path below it. */
const shippedFiles = Object.fromEntries(
  readdirSync(join(project, "data/markets"), { recursive: true })
    .filter((path) => path.endsWith(".yaml"))
    .map((path) => join("markets", path))
    .map((path) => [path, readFileSync(join(project, "data", path), "utf8")]),
);

/** Modules that the build writes, by file. */
const texts = {
  "report/html/charts/browserScripts.ts": { BROWSER_SCRIPTS: await bundleBrowserScripts() },
  "platform/browser/shippedFiles.ts": { SHIPPED_FILES: shippedFiles },
};

const insertTexts = {
  name: "insert-texts",
  load(id) {
    const found = Object.entries(texts).find(([file]) => id === join(src, file));
    if (found === undefined) return null;
    const code = Object.entries(found[1]).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`);
    return { code: code.join("\n"), moduleType: "js" };
  },
};

/** The solver asks for Node's modules where it finds a Node, which no browser is. */
const withoutNode = {
  name: "without-node",
  transform(code, id) {
    if (!id.includes("/node_modules/highs/")) return null;
    return code.replace(/await import\(["'`]node:module["'`]\)/, "{}").replace(/(["'`])node:\w+\1/g, '"none"');
  },
};

const bundle = await rolldown({
  cwd: project,
  platform: "browser",
  input: { index: join(src, "browser/index.ts"), worker: join(src, "browser/worker.ts") },
  transform: {
    target: "es2023",
    inject: { Buffer: ["buffer/", "Buffer"] },
    define: { "process.env.NODE_ENV": '"production"' },
  },
  resolve: {
    conditionNames: ["browser", "import", "default"],
    alias: {
      buffer: "buffer/",
      string_decoder: "string_decoder/",
      "#platform": join(src, "platform/browser/platform.ts"),
    },
  },
  plugins: [packHolidays, insertTexts, withoutNode],
});
const { output } = await bundle.write({
  dir: out,
  format: "esm",
  minify: true,
  comments: { legal: true, annotation: false, jsdoc: false },
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
});
await bundle.close();
for (const { fileName, code } of output)
  if (/["']node:/.test(code ?? "")) throw new Error(`${fileName} names a module of Node`);
copyFileSync(join(dirname(fileURLToPath(import.meta.resolve("highs"))), "highs.wasm"), join(out, "highs.wasm"));
writeFileSync(join(out, "NOTICE.md"), notice(output.flatMap(({ moduleIds = [] }) => moduleIds)));
