import { DispatchRecorder } from "../../accounting/recorders/dispatchRecorder.ts";
import type { BlockSink, TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { EpochMs } from "../../base/time.ts";
import type { CsvRow } from "../../report/compare/readReport.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import { blockRows } from "./blockRows.ts";

/** Rows of all awards together; those of the oldest awards beyond this number are dropped. */
const ROWS_MAX = 200_000;

/** The rows of dispatch.csv of a running session, by award. */
export class DispatchLog implements BlockSink {
  readonly #recorder: DispatchRecorder;
  /** In order of their first dispatch. */
  readonly #blocks = new Map<string, TableBlock[]>();
  #awardId = "";
  #rowCount = 0;

  constructor(sites: readonly Site[]) {
    this.#recorder = new DispatchRecorder(sites, this);
  }

  record(instruction: Instruction, atMs: EpochMs): void {
    this.#awardId = instruction.awardId;
    this.#recorder.record(instruction, atMs);
    // The rows so far, as a block of this award.
    this.#recorder.finish();
  }

  ended(instruction: Instruction): void {
    this.#recorder.ended(instruction);
  }

  write({ rowCount, columns }: TableBlock): void {
    if (rowCount === 0) return;
    let blocks = this.#blocks.get(this.#awardId);
    if (blocks === undefined) this.#blocks.set(this.#awardId, (blocks = []));
    blocks.push({ rowCount, columns: columns.map((column) => shortened(column, rowCount)) });
    this.#rowCount += rowCount;
    for (const [awardId, oldest] of this.#blocks) {
      if (this.#rowCount <= ROWS_MAX || awardId === this.#awardId) break;
      for (const block of oldest) this.#rowCount -= block.rowCount;
      this.#blocks.delete(awardId);
    }
  }

  /** Rows of an award, as in dispatch.csv, in order of time. */
  rowsOf(awardId: string): readonly CsvRow[] {
    return (this.#blocks.get(awardId) ?? []).flatMap(blockRows);
  }
}

/** A column with its first rows. The recorder reuses its arrays. */
function shortened(column: TableColumn, rowCount: number): TableColumn {
  switch (column.kind) {
    case "name":
      return { ...column, values: column.values.slice(0, rowCount) };
    case "text":
      return { ...column, values: column.values.slice(0, rowCount) };
    default:
      return { ...column, values: column.values.slice(0, rowCount) };
  }
}
