import { utf8Text } from "../../base/bytes.ts";
import { inputRefusal } from "../../base/inputError.ts";
import { isZip, unpackZip } from "../../browser/zip.ts";
import { binaryFile, pictureFile } from "../../inputs/formats/text/binaryFile.ts";
import { basename } from "../../platform/browser/paths.ts";

/** Files by path. */
export type FilesByPath = Readonly<Record<string, Uint8Array>>;

/** What files mean that a person gives. */
export type GivenFiles =
  /** A report with the files of its run. */
  | { readonly kind: "report"; readonly report: FilesByPath; readonly entry: string; readonly files: FilesByPath }
  | { readonly kind: "project"; readonly entry: string; readonly files: FilesByPath }
  /** Several scenarios: one is the entry. */
  | { readonly kind: "choice"; readonly entries: readonly string[]; readonly files: FilesByPath }
  /** No scenario: for the project that is open. */
  | { readonly kind: "data"; readonly files: FilesByPath };

const PROJECT_FOLDER = "project/";
/** @throws InputErrors for what is no text, and for a zip that is refused whole */
export function understandFiles(given: ReadonlyMap<string, Uint8Array>): GivenFiles {
  const files = Object.fromEntries([...given].flatMap(([path, bytes]) => filesIn(path, bytes)));
  const report = reportIn(files);
  if (report !== null) return report;
  const entries = entriesOf(files);
  if (entries.length === 0) return { kind: "data", files };
  return entries.length === 1 ? { kind: "project", entry: entries[0], files } : { kind: "choice", entries, files };
}

/** A file, or those in a zip. */
function filesIn(path: string, bytes: Uint8Array): [string, Uint8Array][] {
  const isPacked = isZip(bytes) && !/\.xls[xmb]$/i.test(path);
  const files: [string, Uint8Array][] = isPacked ? [...unpackZip(path, bytes)] : [[path, bytes]];
  for (const [name, content] of files) {
    const binary = binaryFile(content) ?? pictureFile(content);
    if (binary !== undefined) throw inputRefusal(name, binary.what, binary.allowed);
  }
  return files;
}

function reportIn(given: FilesByPath): GivenFiles | null {
  const files = withoutTopFolder(given);
  const run = files["run.json"];
  if (run === undefined) return null;
  const inputs = Object.entries(files).flatMap(([path, bytes]): [string, Uint8Array][] =>
    path.startsWith(PROJECT_FOLDER) ? [[path.slice(PROJECT_FOLDER.length), bytes]] : [],
  );
  const report = Object.entries(files).filter(([path]) => !path.startsWith(PROJECT_FOLDER));
  const name = scenarioOf(run);
  const entries = inputs.map(([path]) => path).filter((path) => basename(path) === name);
  if (entries.length !== 1)
    throw inputRefusal(
      "run.json",
      `${name} in ${entries.length} places of the folder project`,
      "the scenario of the report, once",
    );
  return { kind: "report", report: Object.fromEntries(report), entry: entries[0], files: Object.fromEntries(inputs) };
}

/** Paths from the folder that all files are in; as they are, if there is none. */
function withoutTopFolder(files: FilesByPath): FilesByPath {
  const paths = Object.keys(files);
  const top = /^[^/]+\//.exec(paths[0] ?? "")?.[0] ?? "";
  if (!paths.every((path) => path.startsWith(top))) return files;
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path.slice(top.length), bytes]));
}

/** The scenario of a report: the first of its inputs. */
function scenarioOf(run: Uint8Array): string {
  try {
    return Object.keys(JSON.parse(utf8Text(run)).inputs)[0];
  } catch {
    throw inputRefusal("run.json", "no list of inputs", "run.json of a report");
  }
}

/** `scenario.yaml`, the nearest to the top; else the YAML files with `sites`; else the only YAML file. */
function entriesOf(files: FilesByPath): readonly string[] {
  const yaml = Object.keys(files).filter((path) => /\.ya?ml$/i.test(path));
  const named = yaml.filter((path) => /^scenario\.ya?ml$/i.test(basename(path)));
  const top = Math.min(...named.map(depthOf));
  const nearest = named.filter((path) => depthOf(path) === top);
  if (nearest.length > 0) return nearest;
  const withSites = yaml.filter((path) => /^sites\s*:/m.test(new TextDecoder().decode(files[path])));
  return withSites.length > 0 || yaml.length !== 1 ? withSites : yaml;
}

const depthOf = (path: string): number => path.split("/").length;

/** The files of a drop, with the folders in it. */
export async function droppedFiles({ items }: DataTransfer): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  // All of them at once: the list is empty after the first pause.
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  for (const { entry, file } of dropped)
    if (entry !== null) await addEntry(entry, files);
    else if (file !== null) files.set(file.name, await bytesOf(file));
  return files;
}

async function addEntry(entry: FileSystemEntry, files: Map<string, Uint8Array>): Promise<void> {
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    files.set(entry.fullPath.replace(/^\//, ""), await bytesOf(file));
  } else if (entry instanceof FileSystemDirectoryEntry) {
    const reader = entry.createReader();
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) return;
      for (const each of part) await addEntry(each, files);
    }
  }
}

/** The files of a file field: with their folder, where one was chosen. */
export async function chosenFiles(list: Iterable<File>): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const file of list) files.set(file.webkitRelativePath || file.name, await bytesOf(file));
  return files;
}

const bytesOf = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());
