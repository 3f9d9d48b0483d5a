import { ErrorCollector, formatNameList, inputRefusal } from "../base/inputError.ts";
import type { FileFormat, FormatTable } from "../inputs/formats/fileFormat.ts";
import { FormatProblems } from "../inputs/formats/formatProblem.ts";
import { mergeTables } from "../inputs/formats/mergeTables.ts";
import { previewText, rangeText } from "../inputs/formats/output/previewText.ts";
import { recordsCsv, recordsYaml, seriesCsv, seriesYaml } from "../inputs/formats/output/seriesOutput.ts";
import { type FormatReading, type RawFile, readFormatFile } from "../inputs/formats/readFormatFile.ts";
import { detectFormats, FORMAT_IDS, FORMATS, formatById } from "../inputs/formats/registry.ts";
import { decodeBytes, encodingText } from "../inputs/formats/text/decodeBytes.ts";
import { structureOf } from "../inputs/formats/text/normaliseText.ts";
import { nearestName } from "../inputs/scenario/parse/nearestName.ts";
import { inputErrorOf } from "../inputs/scenario/parse/readSeriesFile.ts";
import { type ImportFlags, importOptions, readRawFile } from "./importFlags.ts";
import { writeImport } from "./writeImport.ts";

/** `vppsim import`: reads published files and writes CSV files and the YAML lines that use them. */
export function importCommand(formatName: string | undefined, files: readonly string[], flags: ImportFlags): void {
  if (formatName === undefined) {
    process.stdout.write(formatList());
    return;
  }
  if (flags.detect === true) {
    for (const file of [formatName, ...files])
      process.stdout.write(`${file}: ${detectText(readRawFile(file), flags)}\n`);
    return;
  }
  if (files.length === 0) throw inputRefusal("[files...]", "no file", "at least one file of the format");
  const raw = files.map(readRawFile);
  const format = formatName === "auto" ? detectedFormat(raw[0], flags) : namedFormat(formatName);
  const options = importOptions(flags);
  const readings = raw.map((file) => readFormatFile(format, file, options));
  const table = checkedTable(readings);
  if (flags.preview === true) process.stdout.write(previewText(readings, table));
  else writeTable({ format, readings, table, files }, flags);
}

function formatList(): string {
  const width = Math.max(...FORMAT_IDS.map((id) => id.length));
  const lines = FORMATS.map(({ id, title }) => `  ${id.padEnd(width)}  ${title}\n`);
  return `Formats, read by vppsim import <format> <files…> --out DIR\n${lines.join("")}`;
}

function detectText({ name, content }: RawFile, { encoding }: ImportFlags): string {
  const problems = new FormatProblems();
  const decoded = decodeBytes(content, problems, encoding ?? null);
  if (decoded === null) throw problemsOf(name, problems).toInputErrors();
  const candidates = detectFormats(name, decoded.text);
  const structure = structureOf(decoded.text);
  if (candidates.length === 0 && structure !== null)
    return `${structure} of no known format (${encodingText(decoded)}); it is not read`;
  if (candidates.length === 0) return `no known format (${encodingText(decoded)}); try: vppsim import table`;
  // A table of a certain format is also a table.
  const likely = candidates.filter(({ score }) => 2 * score > candidates[0].score);
  const names = likely.map(({ format }) => format.id);
  return `${names.join(", or ")} (${encodingText(decoded)}); ${candidates[0].format.title}`;
}

function detectedFormat({ name, content }: RawFile, { encoding }: ImportFlags): FileFormat {
  const decoded = decodeBytes(content, new FormatProblems(), encoding ?? null);
  const best = decoded === null ? undefined : detectFormats(name, decoded.text)[0];
  if (best === undefined)
    throw inputRefusal(name, "a file of no known format", `one of the formats ${formatNameList(FORMAT_IDS)}`);
  return best.format;
}

function namedFormat(name: string): FileFormat {
  const format = formatById(name);
  if (format !== null) return format;
  const near = nearestName(name, FORMAT_IDS);
  const hint = near === null ? "" : `; did you mean ${near}`;
  throw inputRefusal("[format]", JSON.stringify(name), `auto, or one of ${formatNameList(FORMAT_IDS)}${hint}`);
}

/** @throws InputErrors with the problems of all files */
function checkedTable(readings: readonly FormatReading[]): FormatTable {
  const errors = new ErrorCollector();
  for (const { name, problems } of readings) addProblems(errors, name, problems);
  if (errors.count > 0) throw errors.toInputErrors();
  const tables = readings.flatMap(({ name, table }) => (table === null ? [] : [{ name, table }]));
  const problems = new FormatProblems();
  const merged = mergeTables(tables, problems);
  if (merged === null) throw problemsOf("files", problems).toInputErrors();
  return merged;
}

function problemsOf(name: string, problems: FormatProblems): ErrorCollector {
  const errors = new ErrorCollector();
  addProblems(errors, name, problems);
  return errors;
}

const addProblems = (errors: ErrorCollector, name: string, problems: FormatProblems): void =>
  errors.addAll(
    problems.groups.map(({ key, count, first }) => {
      return { key: `${name}\n${key}`, count, first: first.map((problem) => inputErrorOf(name, problem)) };
    }),
  );

interface ImportResult {
  readonly format: FileFormat;
  readonly readings: readonly FormatReading[];
  readonly table: FormatTable;
  readonly files: readonly string[];
}

function writeTable({ format, readings, table, files }: ImportResult, flags: ImportFlags): void {
  if (flags.out === undefined) throw inputRefusal("--out", "no folder", "a folder for the written files, or --preview");
  const name = flags.name ?? format.id;
  const file = `${name}.csv`;
  const csv = table.kind === "series" ? seriesCsv(table) : recordsCsv(table);
  const path = writeImport({ folder: flags.out, name, inputs: files, isReplaced: flags.replace === true }, csv);
  const source = { format, options: importOptions(flags), name, file, originals: files };
  const lines = table.kind === "series" ? seriesYaml(table, source) : recordsYaml(table, format.id, file);
  const inputs = readings.map(({ name: input, decoded, sha256 }) => {
    return { file: input, encoding: decoded === null ? "" : encodingText(decoded), sha256 };
  });
  if (flags.json === true) {
    process.stdout.write(
      `${JSON.stringify({ format: format.id, path, inputs, notes: table.notes, yaml: lines.join("\n") })}\n`,
    );
    return;
  }
  const notes = [
    ...inputs.map((input) => `${input.file}: ${input.encoding}`),
    ...table.notes,
    table.kind === "series" ? rangeText(table) : `${table.rows.length} rows`,
    `Source: ${format.terms}`,
  ];
  process.stdout.write(`Wrote ${path}\n${notes.map((note) => `  ${note}\n`).join("")}\n${lines.join("\n")}\n`);
}
