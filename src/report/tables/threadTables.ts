import { platform } from "#platform";
import type { BlockSink, TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import { TableWriteError } from "../../platform/files.ts";
import type { Thread } from "../../platform/platform.ts";
import type { TableStore } from "./localTables.ts";
import type { ClosedTables } from "./tableFile.ts";
import type { TableLayout } from "./tableLayout.ts";
import type { SentBlock, TableAnswer, TableTask } from "./tableThread.ts";

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
        const sent = shared.copy(block);
        void this.send({ kind: "write", table, ...sent.block }).then(() => shared.release(sent.slot));
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

interface Slot {
  readonly number: number;
  readonly rowsMax: number;
  readonly columns: readonly TableColumn[];
}

/**
 * Copies of the blocks of one table in slots of memory that both threads see, used again and again. Messages that move arrays would
 * detach them, after which V8 runs all code with typed arrays more slowly; messages that copy them take longer than their text.
 */
class SharedBlocks {
  private readonly free: Slot[] = [];
  private slotCount = 0;
  /** By column. */
  private readonly sentNames: (readonly string[])[] = [];

  /** The caller releases the slot when the other thread has read it. */
  copy({ rowCount, columns }: TableBlock): { readonly slot: Slot; readonly block: SentBlock } {
    const taken = this.free.pop();
    const isFree = taken !== undefined && rowCount <= taken.rowsMax;
    const slot = isFree ? taken : newSlot(this.slotCount++, columns, rowCount);
    const changes = columns.map((column, k) => {
      if (column.kind === "text") return column.values;
      (slot.columns[k].values as Numbers).set(column.values.subarray(0, rowCount));
      if (column.kind !== "name" || column.names === this.sentNames[k]) return null;
      this.sentNames[k] = column.names;
      return column.names;
    });
    return { slot, block: { rowCount, slot: slot.number, opened: isFree ? null : slot.columns, changes } };
  }

  release(slot: Slot): void {
    this.free.push(slot);
  }
}

type Numbers = Float64Array | Int32Array;

/** All numbers of a slot are in one memory, because each memory of a message takes time. */
function newSlot(number: number, columns: readonly TableColumn[], rowsMax: number): Slot {
  const bytes = Float64Array.BYTES_PER_ELEMENT * rowsMax;
  const memory = new SharedArrayBuffer(bytes * columns.length);
  const shared = columns.map((column, k): TableColumn => {
    if (column.kind === "text") return { ...column, values: [] };
    if (column.kind === "name") return { ...column, names: [], values: new Int32Array(memory, k * bytes, rowsMax) };
    return { ...column, values: new Float64Array(memory, k * bytes, rowsMax) };
  });
  return { number, rowsMax, columns: shared };
}
