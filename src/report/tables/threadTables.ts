import { platform } from "#platform";
import type { BlockSink, TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import { TableWriteError } from "../../platform/files.ts";
import type { Thread } from "../../platform/platform.ts";
import type { TableStore } from "./localTables.ts";
import type { ClosedTables } from "./tableFile.ts";
import type { TableLayout } from "./tableLayout.ts";
import type { SentColumn, TableAnswer, TableTask } from "./tableThread.ts";

/** Maximum number of tasks that wait for the thread: about 10 MB of rows. */
const WAITING_MAX = 32;

/** Tables that another thread writes. */
export class ThreadTables implements TableStore {
  private readonly thread: Thread;
  private tableCount = 0;
  private waiting = 0;
  /** Error of the first failed task; the tasks after it have no effect. */
  private failure: Error | null = null;
  private onAnswer = () => {};

  constructor(staging: string, formats: readonly ReportFormat[], layout: TableLayout) {
    this.thread = platform.openThread("report/tables/tableThread");
    void this.send({ kind: "begin", staging, formats, layout });
  }

  open(stem: string, place?: "sheet"): BlockSink {
    const table = this.tableCount++;
    void this.send({ kind: "open", stem, ...(place === undefined ? {} : { place }) });
    const shared = new SharedBlocks();
    return {
      write: (block) => {
        const columns = shared.copy(block);
        void this.send({ kind: "write", table, rowCount: block.rowCount, columns }).then(() => shared.release(columns));
      },
    };
  }

  async settle(): Promise<void> {
    while (this.waiting > WAITING_MAX && this.failure === null)
      await new Promise<void>((resolve) => {
        this.onAnswer = resolve;
      });
    if (this.failure !== null) throw this.failure;
  }

  async close(): Promise<ClosedTables> {
    const closed = await this.send({ kind: "close" });
    if (this.failure !== null) throw this.failure;
    await this.thread.close();
    return closed;
  }

  /** Ends the thread, which closes its files. Files that it wrote remain; their folder is a staging folder. */
  async abort(): Promise<void> {
    await this.thread.close();
  }

  /** @returns what the thread answers; empty after a failure */
  private async send(task: TableTask): Promise<ClosedTables> {
    this.waiting++;
    try {
      const { failure, ...closed } = await this.thread.run<TableAnswer>(task);
      if (failure !== null) this.failure ??= new TableWriteError(failure);
      return closed;
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
      return { digests: [], notes: [] };
    } finally {
      this.waiting--;
      this.onAnswer();
    }
  }
}

/**
 * Copies of the blocks of one table in memory that both threads see, used again and again. Messages that move arrays would detach
 * them, after which V8 runs all code with typed arrays more slowly; messages that copy them take longer than their text.
 */
class SharedBlocks {
  private readonly free: (readonly SentColumn[])[] = [];
  /** By column. */
  private readonly sentNames: (readonly string[])[] = [];

  /** The caller releases it when the other thread has read it. */
  copy({ rowCount, columns }: TableBlock): readonly SentColumn[] {
    const taken = this.free.pop();
    return columns.map((column, k) => {
      if (column.kind === "text") return column;
      const values = sharedCopy(column.values, taken?.[k].values, rowCount);
      if (column.kind !== "name") return { ...column, values } as TableColumn;
      const names = column.names === this.sentNames[k] ? null : column.names;
      this.sentNames[k] = column.names;
      return { ...column, values: values as Int32Array, names };
    });
  }

  release(columns: readonly SentColumn[]): void {
    this.free.push(columns);
  }
}

type Numbers = Float64Array | Int32Array;

/** @param former  is overwritten where it is long enough */
function sharedCopy(values: Numbers, former: SentColumn["values"] | undefined, rowCount: number): Numbers {
  const taken = values.subarray(0, rowCount);
  if (former !== undefined && former.constructor === values.constructor && rowCount <= former.length) {
    (former as Numbers).set(taken);
    return former as Numbers;
  }
  const memory = new SharedArrayBuffer(taken.byteLength);
  const shared = values instanceof Float64Array ? new Float64Array(memory) : new Int32Array(memory);
  shared.set(taken);
  return shared;
}
