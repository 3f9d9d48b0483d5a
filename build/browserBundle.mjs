/** How modules of src/ are bundled for browsers: texts instead of files, and what a browser has instead of Node. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { bundleBrowserScripts } from "./browserScripts.mjs";
import { packHolidays } from "./packHolidays.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const src = join(project, "src/");

/** The scripts in pages of reports. */
export const browserScripts = await bundleBrowserScripts();

/** Texts of data/ by path below it. */
const shippedFiles = Object.fromEntries(
  readdirSync(join(project, "data/markets"), { recursive: true })
    .filter((path) => path.endsWith(".yaml"))
    .map((path) => join("markets", path))
    .map((path) => [path, readFileSync(join(project, "data", path), "utf8")]),
);

/** Modules that the build writes, by file. */
const texts = {
  "report/html/charts/browserScripts.ts": { BROWSER_SCRIPTS: browserScripts },
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

const tables = join(dirname(fileURLToPath(import.meta.resolve("iconv-lite"))), "../encodings/");

/** Of the encodings that src/inputs/formats/text/decodeBytes.ts knows: iconv-lite has tables of fifty more. */
const tablesInUse = {
  name: "tables-in-use",
  load(id) {
    if (!id.startsWith(tables)) return null;
    if (/tables\/(?!shiftjis|eucjp)/.test(id)) return { code: "module.exports = [];", moduleType: "js" };
    if (!id.endsWith("sbcs-data-generated.js")) return null;
    const { windows1252 } = createRequire(import.meta.url)(id);
    return { code: `module.exports = ${JSON.stringify({ windows1252 })};`, moduleType: "js" };
  },
};

const OUTPUT = {
  format: "esm",
  minify: true,
  comments: { legal: true, annotation: false, jsdoc: false },
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
};

/**
 * @param input  entries below src/ by name
 * @param options  further options of the bundle, `external`, and of its output
 * @returns the files of the bundle, none of which names a module of Node
 */
export async function bundleForBrowsers(input, { external = [], ...output } = {}) {
  const bundle = await rolldown({
    cwd: project,
    platform: "browser",
    input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, join(src, path)])),
    external,
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
    plugins: [packHolidays, insertTexts, tablesInUse, withoutNode],
  });
  const { output: files } = await bundle.generate({ ...OUTPUT, ...output });
  await bundle.close();
  for (const { fileName, code } of files)
    if (/["']node:/.test(code ?? "")) throw new Error(`${fileName} names a module of Node`);
  return files;
}
