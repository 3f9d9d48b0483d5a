import { availableParallelism } from "node:os";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import { openLocalTables, type TableStore } from "./localTables.ts";
import { PLAIN_LAYOUT } from "./tableLayout.ts";

/** With fewer rows, starting a thread takes longer than writing them. */
const THREAD_ROWS_MIN = 200_000;

/**
 * Opens a store for the tables of an existing folder. A large store is written by another thread if a processor is
 * free; the bytes are the same.
 * @param size  approximate number of rows of all tables, and number of threads of the run
 */
export async function openTableStore(
  folder: string,
  formats: readonly ReportFormat[],
  { rowCount, threads }: { readonly rowCount: number; readonly threads: number },
  layout = PLAIN_LAYOUT,
): Promise<TableStore> {
  if (rowCount < THREAD_ROWS_MIN || availableParallelism() <= threads) return openLocalTables(folder, formats, layout);
  const { ThreadTables } = await import("./threadTables.ts");
  return new ThreadTables(folder, formats, layout);
}
