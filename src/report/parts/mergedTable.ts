import type { TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { EncodedTable } from "../tables/localTables.ts";
import type { PartBlock } from "./partTable.ts";

/** A block, or what makes it when its rows come next. */
export type DeferredBlock = PartBlock | (() => PartBlock);

/** Rows of one part that are not in the table yet. */
interface PendingRows {
  /** Only the first one is open. */
  readonly blocks: DeferredBlock[];
  /** Piece of the first block that comes next. */
  piece: number;
}

interface Piece {
  readonly place: number;
  readonly block: PartBlock;
  readonly index: number;
}

/**
 * One table of a run in parts. It takes the rows of each part in order of time, and passes on the rows of all by their instant, and
 * then by their place in the world (docs/model/parts.md#order).
 */
export class MergedTable {
  private readonly table: EncodedTable;
  private readonly pending: readonly PendingRows[];
  private hasHeader = false;

  constructor(table: EncodedTable, partCount: number) {
    this.table = table;
    this.pending = Array.from({ length: partCount }, () => ({ blocks: [], piece: 0 }));
  }

  /** @param block  is kept until its rows are written */
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
      const pieces = this.pending.flatMap((rows) => takePieces(rows, atMs));
      for (const piece of pieces.sort((a, b) => a.place - b.place)) this.writePiece(piece);
    }
  }

  /** A table without rows has its header, and the columns of an empty block. */
  private writeHeader({ texts, columns }: PartBlock): void {
    this.hasHeader = true;
    texts.forEach(({ bytes, starts }, k) => this.table.texts[k](bytes.subarray(0, starts[0])));
    this.table.cells?.write({ rowCount: 0, columns });
  }

  private writePiece({ block: { texts, rows, columns }, index }: Piece): void {
    for (let k = 0; k < texts.length; k++) {
      const { bytes, starts } = texts[k];
      this.table.texts[k](bytes.subarray(starts[index], starts[index + 1]));
    }
    const [from, to] = [rows[index], rows[index + 1]];
    this.table.cells?.write({
      rowCount: to - from,
      columns: columns.map((column) => ({ ...column, values: column.values.slice(from, to) }) as TableColumn),
    });
  }
}

function takePieces(pending: PendingRows, atMs: number): Piece[] {
  const pieces: Piece[] = [];
  while (nextMs(pending) === atMs) {
    const block = openFirst(pending);
    const index = pending.piece++;
    pieces.push({ place: block.places[index], block, index });
    skipEmptyBlocks(pending);
  }
  return pieces;
}

function openFirst({ blocks }: PendingRows): PartBlock {
  const [block] = blocks;
  if (typeof block !== "function") return block;
  const opened = block();
  blocks[0] = opened;
  return opened;
}

const nextMs = (rows: PendingRows): number =>
  rows.blocks.length === 0 ? Number.POSITIVE_INFINITY : openFirst(rows).atMs[rows.piece];

function skipEmptyBlocks(rows: PendingRows): void {
  while (rows.blocks.length > 0 && openFirst(rows).atMs.length <= rows.piece) {
    rows.blocks.shift();
    rows.piece = 0;
  }
}
