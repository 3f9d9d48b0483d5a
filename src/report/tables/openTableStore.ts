import { availableParallelism } from "node:os";
import type { ReportFormat } from "../../scenario/scenario.ts";
import { openLocalTables } from "./localTables.ts";
import type { TableStore } from "./tableStore.ts";

/** With fewer rows, starting a thread takes longer than writing them. */
const THREAD_ROWS_MIN = 200_000;

/**
 * Tables in an existing folder. Text, digest and file of a large one are made in another thread where there is a processor
 * for it; the bytes are the same.
 *
 * @param size  rows of all tables, about, and threads that the run takes itself
 */
export async function openTableStore(
  folder: string,
  formats: readonly ReportFormat[],
  { rowCount, threads }: { readonly rowCount: number; readonly threads: number },
): Promise<TableStore> {
  if (rowCount < THREAD_ROWS_MIN || availableParallelism() <= threads) return openLocalTables(folder, formats);
  const { ThreadTables } = await import("./threadTables.ts");
  return new ThreadTables(folder, formats);
}
