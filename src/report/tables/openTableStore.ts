import { platform } from "#platform";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import type { ReportSink } from "../../platform/files.ts";
import { openLocalTables, type TableStore } from "./localTables.ts";
import { PLAIN_LAYOUT } from "./tableLayout.ts";

/** With fewer rows, starting a thread takes longer than writing them. */
const THREAD_ROWS_MIN = 200_000;

/**
 * Opens a store for the tables of a report. A large store is written by another thread if there is a processor for it; the bytes
 * are the same.
 * @param rowCount  approximate number of rows of all tables
 */
export async function openTableStore(
  sink: Pick<ReportSink, "open" | "staging">,
  formats: readonly ReportFormat[],
  rowCount: number,
  layout = PLAIN_LAYOUT,
): Promise<TableStore> {
  const { staging } = sink;
  if (staging === null || rowCount < THREAD_ROWS_MIN || platform.processors < 2)
    return openLocalTables(sink, formats, layout);
  const { ThreadTables } = await import("./threadTables.ts");
  return new ThreadTables(staging, formats, layout);
}
