import type { TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { WorldPart } from "../../engine/simulation/worldParts.ts";
import type { EncodedTable } from "../tables/localTables.ts";
import type { PartBlock, RowOrder } from "./partTable.ts";

/** A block, or what makes it when its rows come next. */
export type DeferredBlock = PartBlock | (() => PartBlock);

/** Rows of one part that are not in the table yet. */
interface PendingRows {
  /** Only the first one is open. */
  readonly blocks: DeferredBlock[];
  /** Row of the first block that comes next. */
  row: number;
}

/** Consecutive rows of one part and one instant. `firstPlace` and `lastPlace` are those of `RowOrder`. */
interface RowRange {
  readonly part: number;
  readonly block: PartBlock;
  readonly from: number;
  readonly to: number;
  readonly firstPlace: number;
  readonly lastPlace: number;
}

/**
 * One table of a run in parts. It takes the rows of each part in order of time, and passes on the rows of all by their instant, and
 * then by the sites or VPPs of the whole world (docs/model/parts.md#order).
 */
export class MergedTable {
  private readonly table: EncodedTable;
  private readonly order: RowOrder;
  private readonly parts: readonly WorldPart[];
  private readonly pending: readonly PendingRows[];
  private hasHeader = false;

  constructor(table: EncodedTable, order: RowOrder, parts: readonly WorldPart[]) {
    this.table = table;
    this.order = order;
    this.parts = parts;
    this.pending = parts.map(() => ({ blocks: [], row: 0 }));
  }

  /** @param block  is kept */
  add(part: number, block: DeferredBlock): void {
    this.pending[part].blocks.push(block);
  }

  /** Writes all rows; every part has added its rows up to the same instant. */
  write(): void {
    const first = this.pending.find(({ blocks }) => blocks.length > 0);
    if (first !== undefined && !this.hasHeader) this.writeHeader(openFirst(first));
    for (const rows of this.pending) skipEmptyBlocks(rows);
    for (;;) {
      const atMs = this.pending.reduce((least, rows) => Math.min(least, nextMs(rows)), Number.POSITIVE_INFINITY);
      if (atMs === Number.POSITIVE_INFINITY) break;
      for (const range of inOrder(this.takeRanges(atMs), (range, row) => this.placeOf(range.part, range.block, row)))
        this.writeRows(range);
    }
  }

  private takeRanges(atMs: number): RowRange[] {
    const ranges: RowRange[] = [];
    this.pending.forEach((rows, part) => {
      while (nextMs(rows) === atMs) {
        const block = openFirst(rows);
        const from = rows.row;
        while (rows.row < block.rowCount && block.atMs[rows.row] === atMs) rows.row++;
        const to = rows.row;
        const [firstPlace, lastPlace] = [this.placeOf(part, block, from), this.placeOf(part, block, to - 1)];
        ranges.push({ part, block, from, to, firstPlace, lastPlace });
        skipEmptyBlocks(rows);
      }
    });
    return ranges;
  }

  private placeOf(part: number, { places }: PartBlock, row: number): number {
    if (places === null) return part;
    return this.parts[part][this.order === "site" ? "sites" : "vpps"][places[row]];
  }

  /** A table without rows has its header, and the columns of an empty block. */
  private writeHeader({ texts, columns }: PartBlock): void {
    this.hasHeader = true;
    texts.forEach(({ bytes, starts }, k) => this.table.texts[k](bytes.subarray(0, starts[0])));
    this.table.cells?.write({ rowCount: 0, columns });
  }

  private writeRows({ block, from, to }: RowRange): void {
    const { texts, columns } = block;
    for (let k = 0; k < texts.length; k++) {
      const { bytes, starts } = texts[k];
      this.table.texts[k](bytes.subarray(starts[from], starts[to]));
    }
    this.table.cells?.write({
      rowCount: to - from,
      columns: columns.map((column) => ({ ...column, values: column.values.slice(from, to) }) as TableColumn),
    });
  }
}

function openFirst({ blocks }: PendingRows): PartBlock {
  const [block] = blocks;
  if (typeof block !== "function") return block;
  const opened = block();
  blocks[0] = opened;
  return opened;
}

const nextMs = (rows: PendingRows): number =>
  rows.blocks.length === 0 ? Number.POSITIVE_INFINITY : openFirst(rows).atMs[rows.row];

function skipEmptyBlocks(rows: PendingRows): void {
  while (rows.blocks.length > 0 && openFirst(rows).rowCount <= rows.row) {
    rows.blocks.shift();
    rows.row = 0;
  }
}

/** Sorts ranges by place; those that overlap are divided into single rows. Equal places stay in their order. */
function inOrder(ranges: RowRange[], placeOf: (range: RowRange, row: number) => number): readonly RowRange[] {
  ranges.sort((a, b) => a.firstPlace - b.firstPlace);
  if (ranges.every(({ firstPlace }, k) => k === 0 || ranges[k - 1].lastPlace <= firstPlace)) return ranges;
  const rows = ranges.flatMap((range) =>
    Array.from({ length: range.to - range.from }, (_, k) => {
      const place = placeOf(range, range.from + k);
      return { ...range, from: range.from + k, to: range.from + k + 1, firstPlace: place, lastPlace: place };
    }),
  );
  return rows.sort((a, b) => a.firstPlace - b.firstPlace);
}
