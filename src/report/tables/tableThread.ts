import { platform } from "#platform";
import type { BlockSink, TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import { TableWriteError } from "../../platform/files.ts";
import { type LocalTables, openLocalTables } from "./localTables.ts";
import type { ClosedTables } from "./tableFile.ts";
import type { TableLayout } from "./tableLayout.ts";

/** A task of the thread; tasks are done in the order in which they are sent. */
export type TableTask =
  | {
      readonly kind: "begin";
      readonly staging: string;
      readonly formats: readonly ReportFormat[];
      readonly layout: TableLayout;
    }
  | { readonly kind: "open"; readonly stem: string; readonly place?: "sheet" }
  | ({ readonly kind: "write"; readonly table: number } & SentBlock)
  | { readonly kind: "close" };

/** The rows of a block, whose numbers are in a slot of shared memory. */
export interface SentBlock {
  readonly rowCount: number;
  readonly slot: number;
  /** The columns of the slot, without names and texts; `null`: the thread has them. */
  readonly opened: readonly TableColumn[] | null;
  /** By column: its texts, or its names; `null`: numbers, or the names of the block before. */
  readonly changes: readonly (readonly (string | null)[] | null)[];
}

/** What `close` returns, else empty. */
export interface TableAnswer extends ClosedTables {
  /** Message of a `TableWriteError`. */
  readonly failure: string | null;
}

const NOTHING: ClosedTables = { digests: [], notes: [] };

let tables: LocalTables | null = null;
const openTables: OpenTable[] = [];
platform.answerTasks(answerTask);

/** Message of the first failed task; the tasks after it have no effect. */
let failure: string | null = null;

/** Writes the tables of one report. */
async function answerTask(task: TableTask): Promise<TableAnswer> {
  if (failure !== null) return { failure, ...NOTHING };
  try {
    return { failure: null, ...(await doTask(task)) };
  } catch (error) {
    if (!(error instanceof TableWriteError)) throw error;
    failure = error.message;
    return { failure, ...NOTHING };
  }
}

async function doTask(task: TableTask): Promise<ClosedTables> {
  if (task.kind === "begin")
    tables = await openLocalTables(platform.openStaging(task.staging), task.formats, task.layout);
  if (tables === null) throw new Error(`the task ${task.kind} comes after the beginning`);
  if (task.kind === "close") return tables.close();
  if (task.kind === "open") {
    openTables.push({ sink: tables.open(task.stem, task.place), slots: [], names: [] });
  }
  if (task.kind === "write") openTables[task.table].sink.write(readBlock(openTables[task.table], task));
  return NOTHING;
}

interface OpenTable {
  readonly sink: BlockSink;
  readonly slots: (readonly TableColumn[])[];
  /** By column. */
  readonly names: (readonly string[])[];
}

function readBlock({ slots, names }: OpenTable, { rowCount, slot, opened, changes }: SentBlock): TableBlock {
  if (opened !== null) slots[slot] = opened;
  const columns = slots[slot].map((column, k): TableColumn => {
    if (column.kind === "text") return { ...column, values: changes[k] ?? [] };
    if (column.kind !== "name") return column;
    names[k] = (changes[k] as readonly string[] | null) ?? names[k];
    return { ...column, names: names[k] };
  });
  return { rowCount, columns };
}
