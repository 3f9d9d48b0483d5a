/** The scenarios of the playground's gallery, with the files that they name. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const project = fileURLToPath(new URL("../", import.meta.url));
const FOLDERS = ["quickstart", "mixed-week", "features", "studies"];

const readText = (path) => readFileSync(join(project, path), "utf8");

/** Every file that a value names, `{file: …}` at any depth. */
function filesIn(value) {
  if (value === null || typeof value !== "object") return [];
  const own = typeof value.file === "string" ? [value.file] : [];
  return [...own, ...Object.values(value).flatMap(filesIn)];
}

function exampleOf(path) {
  const scenario = parse(readText(path));
  const named = filesIn(scenario).map((file) => posix.join(dirname(path), file));
  const paths = [...new Set([path, ...named])];
  const folder = `${dirname(path)}/`;
  const start = paths.every((each) => each.startsWith(folder)) ? folder.length : 0;
  return {
    name: scenario.name,
    description: scenario.description,
    entry: path.slice(start),
    files: Object.fromEntries(paths.map((each) => [each.slice(start), each])),
  };
}

/** Paths of the scenarios of a folder of scenarios/, from the root of the project. */
export const scenariosIn = (folder) =>
  readdirSync(join(project, "scenarios", folder))
    .filter((name) => name.endsWith(".yaml") && !name.endsWith(".study.yaml"))
    .map((name) => `scenarios/${folder}/${name}`);

/** @returns examples whose files name texts, and each text once, by its path in the project */
export function packExamples() {
  const examples = FOLDERS.flatMap(scenariosIn).map(exampleOf);
  const paths = new Set(examples.flatMap(({ files }) => Object.values(files)));
  return { examples, texts: Object.fromEntries([...paths].map((path) => [path, readText(path)])) };
}
