import { decodeText } from "./decodeText.ts";
import { describeColumnError } from "./describeSchema.ts";
import { FastRowParser } from "./fastRowParser.ts";
import { formatValue, NO_SUCH_FILE } from "./inputError.ts";
import type { JsonSchema } from "./jsonSchema.ts";
import type { LoadContext } from "./loadContext.ts";
import { readConfigTable } from "./readConfigTable.ts";
import { displayPathBeside, resolveBeside } from "./scenarioFiles.ts";
import type { MapNode } from "./sourceNode.ts";

interface FileEntry {
  readonly file: string;
  readonly vpp?: string;
}

const isFileEntry = (entry: object): entry is FileEntry => "file" in entry;

/**
 * The entries of a list, with references to CSV files replaced by the rows of the file, in order.
 *
 * @param schema of one entry and of one row
 */
export function readEntries<T extends object>(
  loadContext: LoadContext,
  entries: readonly object[] | undefined,
  schema: object,
): T[] {
  const rows: T[] = [];
  for (const entry of entries ?? []) {
    if (isFileEntry(entry))
      for (const row of readFileEntry<T>(loadContext, entry, schema as JsonSchema)) rows.push(row);
    else rows.push(entry as T);
  }
  return rows;
}

function readFileEntry<T extends object>(loadContext: LoadContext, entry: FileEntry, schema: JsonSchema): T[] {
  const { checker, files, file: scenarioFile } = loadContext;
  const content = files.read(resolveBeside(scenarioFile, entry.file));
  if (content === null) {
    checker.reportError(
      entry,
      "file",
      `${NO_SUCH_FILE}: ${formatValue(entry.file)}`,
      "a readable CSV file, relative to the scenario file",
    );
    return [];
  }
  const shownFile = displayPathBeside(loadContext.displayPath, entry.file);
  const text = decodeText(shownFile, content, checker.errors);
  if (text === null) return [];
  const findColumnError = (path: readonly string[]) => describeColumnError(schema, path);
  const { errors } = checker;
  const table = readConfigTable({ file: shownFile, text, findColumnError, errors, remarks: loadContext.remarks });
  if (table === null) return [];
  const { columns, origin } = table;
  if (table.rows.length === 0)
    loadContext.remarks.add("empty-table", () => ({
      ...checker.placeOf(entry, "file"),
      message: "a table with a header alone: nothing is read from it",
    }));
  const given = entry.vpp === undefined ? {} : { vpp: entry.vpp };
  checker.setSource(given, { node: table.rows[0], origin, path: "", schema });
  const plan = FastRowParser.create(schema, columns, given);
  const values: T[] = [];
  for (const node of table.rows) {
    const quick = plan?.parse(node.cells) ?? null;
    if (quick !== null) checker.setSource(quick, { node, origin, path: "", schema });
    const value = quick ?? checker.check(schema, withVpp(node, entry.vpp), origin, "");
    if (value !== undefined) values.push(value as T);
  }
  return values;
}

/** A `vpp` column overrides the entry's key (docs/model/scenario-format.md#names). */
function withVpp(node: MapNode, vpp: string | undefined): MapNode {
  if (vpp === undefined) return node;
  const { position, entries } = node;
  if (entries.has("vpp")) return node;
  const vppKey = { keyPosition: position, node: { kind: "scalar", position, value: vpp, isUntyped: true } as const };
  return { kind: "map", position, entries: new Map([["vpp", vppKey], ...entries]) };
}
