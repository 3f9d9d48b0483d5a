import { DispatchRecorder } from "../../accounting/recorders/dispatchRecorder.ts";
import type { BlockSink, TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { EpochMs } from "../../base/time.ts";
import type { CsvRow } from "../../report/compare/readReport.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import { blockRows } from "./blockRows.ts";

/** Rows of all awards together; those of the oldest awards beyond this number are dropped. */
const ROWS_MAX = 200_000;

/** Rows of one dispatch. One array of numbers takes a fraction of the memory of one array for each column. */
interface PackedRows {
  readonly rowCount: number;
  /** Columns without texts, one after the other. */
  readonly numbers: Float64Array;
  /** Columns of texts; `null`: all are empty. */
  readonly texts: readonly (readonly (string | null)[])[] | null;
}

/** The rows of dispatch.csv of a running session, by award. */
export class DispatchLog implements BlockSink {
  readonly #recorder: DispatchRecorder;
  /** In order of their first dispatch. */
  readonly #rows = new Map<string, PackedRows[]>();
  /** Names and kinds of the columns. */
  #layout: readonly TableColumn[] = [];
  #awardId = "";
  #rowCount = 0;

  constructor(sites: readonly Site[]) {
    this.#recorder = new DispatchRecorder(sites, this);
  }

  record(instruction: Instruction, atMs: EpochMs): void {
    this.#awardId = instruction.awardId;
    this.#recorder.record(instruction, atMs);
    // The rows so far, as a block of this award.
    this.#recorder.flush();
  }

  ended(instruction: Instruction): void {
    this.#recorder.ended(instruction);
  }

  write({ rowCount, columns }: TableBlock): void {
    this.#layout = columns;
    if (rowCount === 0) return;
    let blocks = this.#rows.get(this.#awardId);
    if (blocks === undefined) this.#rows.set(this.#awardId, (blocks = []));
    blocks.push(pack(columns, rowCount));
    this.#rowCount += rowCount;
    for (const [awardId, oldest] of this.#rows) {
      if (this.#rowCount <= ROWS_MAX || awardId === this.#awardId) break;
      for (const block of oldest) this.#rowCount -= block.rowCount;
      this.#rows.delete(awardId);
    }
  }

  /** Rows of an award, as in dispatch.csv, in order of time. */
  rowsOf(awardId: string): readonly CsvRow[] {
    return (this.#rows.get(awardId) ?? []).flatMap((rows) => blockRows(unpack(this.#layout, rows, awardId)));
  }
}

const ID_COLUMN = "award_id";

function pack(columns: readonly TableColumn[], rowCount: number): PackedRows {
  const numeric = columns.filter(({ kind }) => kind !== "text");
  const numbers = new Float64Array(numeric.length * rowCount);
  numeric.forEach(({ values }, c) => {
    for (let k = 0; k < rowCount; k++) numbers[c * rowCount + k] = Number(values[k]);
  });
  const texts: (string | null)[][] = [];
  let hasTexts = false;
  for (const column of columns) {
    if (column.kind !== "text" || column.name === ID_COLUMN) continue;
    for (let k = 0; k < rowCount && !hasTexts; k++) hasTexts = column.values[k] !== null;
    if (hasTexts) texts.push(column.values.slice(0, rowCount));
  }
  return { rowCount, numbers, texts: hasTexts ? texts : null };
}

function unpack(layout: readonly TableColumn[], { rowCount, numbers, texts }: PackedRows, awardId: string): TableBlock {
  let numeric = 0;
  let text = 0;
  const columns = layout.map((column): TableColumn => {
    if (column.kind === "text") {
      const isId = column.name === ID_COLUMN;
      const values = isId ? null : (texts?.[text++] ?? null);
      return { ...column, values: values ?? new Array<string | null>(rowCount).fill(isId ? awardId : null) };
    }
    const values = numbers.subarray(numeric * rowCount, (numeric + 1) * rowCount);
    numeric++;
    return column.kind === "name" ? { ...column, values: Int32Array.from(values) } : { ...column, values };
  });
  return { rowCount, columns };
}
