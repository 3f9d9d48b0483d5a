import { DispatchRecorder } from "../../../accounting/recorders/dispatchRecorder.ts";
import type { BlockSink, TableBlock, TableColumn } from "../../../accounting/recorders/tableBlock.ts";
import { type EpochMs, isoUtc } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";
import type { CsvRow } from "../../../report/tables/readTable.ts";

/** The rows of a block with the texts that a CSV file would have. */
export const blockRows = ({ rowCount, columns }: TableBlock): CsvRow[] =>
  Array.from({ length: rowCount }, (_, k) =>
    Object.fromEntries(columns.map((column) => [column.name, cellText(column, k)])),
  );

function cellText(column: TableColumn, row: number): string {
  if (column.kind === "text") return column.values[row] ?? "";
  const value = column.values[row];
  if (column.kind === "name") return value < 0 ? "" : column.names[value];
  if (Number.isNaN(value)) return "";
  if (column.kind === "instant") return isoUtc(value);
  return column.kind === "integer" ? String(value) : (value / 1000).toFixed(3);
}

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

/** The dispatches of one instruction. */
interface LoggedInstruction {
  readonly awardId: string;
  readonly blocks: PackedRows[];
}

/** The rows of dispatch.csv of a running session, by award. */
export class DispatchLog implements BlockSink {
  private readonly recorder: DispatchRecorder;
  /** In order of their first dispatch; an award in several pieces occurs several times. */
  private logged: LoggedInstruction[] = [];
  /** Those that have not ended. */
  private readonly running = new Map<Instruction, LoggedInstruction>();
  /** Blocks of the instruction that is being recorded. */
  private blocks: PackedRows[] = [];
  /** Names and kinds of the columns. */
  private layout: readonly TableColumn[] = [];
  private rowCount = 0;

  constructor(sites: readonly Site[]) {
    const hasFcr = sites.some(({ spec }) => spec.capability.fcrCapable);
    this.recorder = new DispatchRecorder(sites, { hasFcr }, this);
  }

  record(instruction: Instruction, atMs: EpochMs): void {
    let logged = this.running.get(instruction);
    if (logged === undefined) {
      logged = { awardId: instruction.awardId, blocks: [] };
      this.running.set(instruction, logged);
      this.logged.push(logged);
    }
    this.blocks = logged.blocks;
    this.recorder.onExecuted(instruction, atMs);
    // The rows so far, as a block of this award.
    this.recorder.flush();
    if (this.rowCount > ROWS_MAX) this.dropOldest();
  }

  ended(instruction: Instruction): void {
    this.recorder.onEnded(instruction);
    this.running.delete(instruction);
  }

  write({ rowCount, columns }: TableBlock): void {
    this.layout = columns;
    if (rowCount === 0) return;
    this.blocks.push(pack(columns, rowCount));
    this.rowCount += rowCount;
  }

  /** Drops a tenth of the rows, so that not every dispatch moves the whole list; the last instruction remains. */
  private dropOldest(): void {
    const last = this.logged.length - 1;
    let first = 0;
    for (; first < last && this.rowCount > 0.9 * ROWS_MAX; first++)
      for (const { rowCount } of this.logged[first].blocks) this.rowCount -= rowCount;
    this.logged = this.logged.slice(first);
  }

  /** Rows of an award, as in dispatch.csv, in order of time. */
  rowsOf(awardId: string): readonly CsvRow[] {
    const blocks = this.logged.flatMap((logged) => (logged.awardId === awardId ? logged.blocks : []));
    return blocks.flatMap((rows) => blockRows(unpack(this.layout, rows, awardId)));
  }
}

const ID_COLUMN = "award_id";

function pack(columns: readonly TableColumn[], rowCount: number): PackedRows {
  let numericCount = 0;
  let hasTexts = false;
  for (const column of columns) {
    if (column.kind !== "text") numericCount++;
    else if (column.name !== ID_COLUMN)
      for (let k = 0; k < rowCount && !hasTexts; k++) hasTexts = column.values[k] !== null;
  }
  const numbers = new Float64Array(numericCount * rowCount);
  let at = 0;
  for (const { kind, values } of columns) {
    if (kind === "text") continue;
    for (let k = 0; k < rowCount; k++) numbers[at++] = values[k];
  }
  return { rowCount, numbers, texts: hasTexts ? textsOf(columns, rowCount) : null };
}

const textsOf = (columns: readonly TableColumn[], rowCount: number): (string | null)[][] =>
  columns.flatMap((column) =>
    column.kind === "text" && column.name !== ID_COLUMN ? [column.values.slice(0, rowCount)] : [],
  );

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
