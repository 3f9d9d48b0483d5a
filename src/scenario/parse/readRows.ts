import { columnRefusal } from "./describeSchema.ts";
import { shown } from "./inputError.ts";
import type { Reading } from "./reading.ts";
import { readTable } from "./readTable.ts";
import { RowPlan } from "./rowPlan.ts";
import { pathBeside, shownBeside } from "./scenarioFiles.ts";
import type { Schema } from "./schemaShape.ts";
import type { MapNode } from "./sourceNode.ts";

interface FileEntry {
  readonly file: string;
  readonly vpp?: string;
}

const isFileEntry = (entry: object): entry is FileEntry => "file" in entry;

/**
 * The entries of a list in which some stand for a CSV file of such entries, in file order.
 *
 * @param schema of one entry, which is also that of a row
 */
export function readRows<T extends object>(
  reading: Reading,
  entries: readonly object[] | undefined,
  schema: object,
): T[] {
  const rows: T[] = [];
  for (const entry of entries ?? []) {
    if (isFileEntry(entry)) for (const row of rowsOfFile<T>(reading, entry, schema as Schema)) rows.push(row);
    else rows.push(entry as T);
  }
  return rows;
}

function rowsOfFile<T extends object>(reading: Reading, entry: FileEntry, schema: Schema): T[] {
  const { checker, files, file: scenarioFile } = reading;
  const content = files.read(pathBeside(scenarioFile, entry.file));
  if (content === null) {
    checker.report(
      entry,
      "file",
      `${shown(entry.file)}, which is no file`,
      "a CSV file that can be read, relative to the scenario file",
    );
    return [];
  }
  const shownFile = shownBeside(reading.shownFile, entry.file);
  const refusalOf = (path: readonly string[]) => columnRefusal(schema, path);
  const table = readTable(shownFile, content.toString("utf8"), refusalOf, checker.errors);
  if (table === null) return [];
  const { columns, origin } = table;
  const given = entry.vpp === undefined ? {} : { vpp: entry.vpp };
  checker.setSource(given, { node: table.rows[0], origin, path: "", schema });
  const plan = RowPlan.of(schema, columns, given);
  const values: T[] = [];
  for (const node of table.rows) {
    const quick = plan?.read(node.cells) ?? null;
    if (quick !== null) checker.setSource(quick, { node, origin, path: "", schema });
    const value = quick ?? checker.check(schema, withVpp(node, entry.vpp), origin, "");
    if (value !== undefined) values.push(value as T);
  }
  return values;
}

/** A `vpp` column wins over the entry's key (decisions.md 141). */
function withVpp(node: MapNode, vpp: string | undefined): MapNode {
  if (vpp === undefined) return node;
  const { at, entries } = node;
  if (entries.has("vpp")) return node;
  const named = { keyAt: at, node: { kind: "scalar", at, value: vpp, untyped: true } as const };
  return { kind: "map", at, entries: new Map([["vpp", named], ...entries]) };
}
