import { platform } from "#platform";
import type { BlockSink, TableColumn } from "../../accounting/recorders/tableBlock.ts";
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
  | {
      readonly kind: "write";
      readonly table: number;
      readonly rowCount: number;
      readonly columns: readonly SentColumn[];
    }
  | { readonly kind: "close" };

/** A column whose names are left out where they are those of the block before. */
export type SentColumn = TableColumn | (Omit<TableColumn & { kind: "name" }, "names"> & { readonly names: null });

/** What `close` returns, else empty. */
export interface TableAnswer extends ClosedTables {
  /** Message of a `TableWriteError`. */
  readonly failure: string | null;
}

const NOTHING: ClosedTables = { digests: [], notes: [] };

let tables: LocalTables | null = null;
const sinks: BlockSink[] = [];
const namesOfColumns: (readonly string[])[][] = [];
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
    sinks.push(tables.open(task.stem, task.place));
    namesOfColumns.push([]);
  }
  if (task.kind === "write") {
    const known = namesOfColumns[task.table];
    const columns = task.columns.map((column, k): TableColumn => {
      if (column.kind !== "name") return column;
      known[k] = column.names ?? known[k];
      return { ...column, names: known[k] };
    });
    sinks[task.table].write({ rowCount: task.rowCount, columns });
  }
  return NOTHING;
}
