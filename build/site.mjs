/**
 *   node build/site.mjs [--base /vppsim/] [--out dist/site]
 *
 * Writes the site of the documentation: the documents by VitePress, the library by TypeDoc, the examples with a picture of each, and the
 * playground. Needs the built package (npm run build); the pictures need Chromium (build/chromium.mjs).
 */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { parse } from "yaml";
import { pageOf } from "../site/vitepress/pagePaths.mjs";
import { drawPages, hasChromium } from "./chromium.mjs";
import { deadLinks } from "./deadLinks.mjs";
import { scenariosIn } from "./examples.mjs";

const project = fileURLToPath(new URL("../", import.meta.url));
const site = join(project, "site");
const run = promisify(execFile);

const DOCUMENTS = [
  ...["README.md", "README.ja.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...["bench/README.md", "test/README.md"],
  ...readdirSync(join(project, "docs"), { recursive: true })
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path.replaceAll("\\", "/")}`),
];

/** Files that documents link to. */
const FILES = ["docs/schema", "scenarios/quickstart/scenario.yaml"];

/** Folders of the scenarios that the playground offers, by heading. */
const EXAMPLES = { "Whole fleets": ["quickstart", "mixed-week"], Features: ["features"], Studies: ["studies"] };

function options() {
  const { values } = parseArgs({ options: { base: { type: "string" }, out: { type: "string" } } });
  const { base = "/", out = join(project, "dist/site") } = values;
  if (!/^\/(.+\/)?$/.test(base)) throw new Error(`--base ${base}: a path that begins and ends with / is needed`);
  return { base, out: resolve(out) };
}

function needBuilt(...paths) {
  const missing = paths.filter((path) => !existsSync(join(project, path)));
  if (missing.length > 0) throw new Error(`${missing.join(", ")}: not there, run npm run build first`);
}

/** Installs the tools of the site if they are not those of its lock file. */
function installTools() {
  const installed = join(site, "node_modules/.package-lock.json");
  const changedMs = statSync(join(site, "package-lock.json")).mtimeMs;
  if (existsSync(installed) && changedMs <= statSync(installed).mtimeMs) return;
  execFileSync("npm", ["ci", "--prefer-offline"], { cwd: site, stdio: "inherit" });
}

function copyFiles(paths, folder, nameOf = (path) => path) {
  for (const path of paths) {
    const to = join(folder, nameOf(path));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(project, path), to, { recursive: true });
  }
}

/** A project for VitePress, in a folder from which it finds its packages. */
function collectPages(pages) {
  copyFiles(DOCUMENTS, pages, pageOf);
  // The language of the site is English. In Japanese, the end of a line is no blank.
  const japanese = join(pages, "ja/index.md");
  const text = readFileSync(japanese, "utf8").replace(/(?<=[\u3000-\u9fff])\n(?=[\u3000-\u9fff])/g, "");
  writeFileSync(japanese, `<div lang="ja">\n\n${text}\n\n</div>\n`);
  copyFiles(["docs/images"], pages);
  copyFiles(FILES, join(pages, "public"));
  copyFiles(["site/vitepress"], pages, () => ".vitepress");
  copyFiles(["site/gallery.md"], pages, () => "examples/index.md");
  copyFiles(["site/favicon.svg"], pages, () => "public/favicon.svg");
}

function exampleOf(path) {
  const { name, description } = parse(readFileSync(join(project, path), "utf8"));
  return { path, name, description };
}

/** Draws the first screen of the report of each example. */
async function drawExamples(examples, folder) {
  if (!hasChromium) return console.warn("No Chromium: the examples have no pictures (CHROMIUM names another path)");
  const { loadScenario, runScenario } = await import("../dist/index.js");
  const reports = join(folder, "reports");
  for (const { path, name } of examples)
    await runScenario(loadScenario(join(project, path), { formats: ["html"] }), { out: join(reports, name) });
  const pictures = join(folder, "public/examples");
  mkdirSync(pictures, { recursive: true });
  await drawPages(
    examples.map(({ name }) => [join(pictures, `${name}.png`), join(reports, name, "report.html")]),
    { width: 960, height: 640 },
  );
}

/** @throws what the tool wrote to standard error */
const tool = (name, ...args) => run(process.execPath, [join(site, "node_modules", name), ...args], { cwd: site });

function documentLibrary(pages, base) {
  const options = join(pages, "typedoc.json");
  writeFileSync(options, JSON.stringify({ extends: ["../typedoc.json"], navigationLinks: { Documentation: base } }));
  return tool("typedoc/bin/typedoc", "--options", options, "--out", join(pages, "api"));
}

/** The playground leads to the documents where its page names them. */
function copyPlayground(out) {
  const folder = join(out, "playground");
  cpSync(join(project, "dist/playground"), folder, { recursive: true });
  const page = join(folder, "index.html");
  const html = readFileSync(page, "utf8");
  writeFileSync(page, html.replace("</head>", '<link rel="help" href="../index.html"></head>'));
}

async function writeSite(pages, { base, out }) {
  collectPages(pages);
  const groups = Object.entries(EXAMPLES).map(([heading, folders]) => ({
    heading,
    examples: folders.flatMap(scenariosIn).map(exampleOf),
  }));
  writeFileSync(join(pages, "examples/examples.json"), JSON.stringify({ groups, hasPictures: hasChromium }));
  const writeDocuments = async () => {
    await drawExamples(
      groups.flatMap(({ examples }) => examples),
      pages,
    );
    await tool("vitepress/bin/vitepress.js", "build", pages, "--base", base, "--outDir", out);
  };
  await Promise.all([documentLibrary(pages, base), writeDocuments()]);
  cpSync(join(pages, "api"), join(out, "api"), { recursive: true });
  copyPlayground(out);
}

async function main() {
  const { base, out } = options();
  needBuilt("dist/index.js", "dist/playground/index.html");
  installTools();
  const pages = mkdtempSync(join(site, ".pages-"));
  try {
    await writeSite(pages, { base, out });
  } finally {
    rmSync(pages, { recursive: true });
  }
  const dead = deadLinks(out, base);
  if (dead.length > 0) throw new Error(`dead links in ${out}:\n${dead.join("\n")}`);
}

try {
  await main();
} catch ({ message }) {
  console.error(message);
  process.exitCode = 1;
}
