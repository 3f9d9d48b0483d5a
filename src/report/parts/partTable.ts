import { type BlockSink, copyBlock, type TableBlock, type TableColumn } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";
import type { TableLayout } from "../tables/tableLayout.ts";
import type { TextRows } from "../tables/textRows.ts";
import { type TextFormat, textRows } from "../tables/textTableWriter.ts";

/** What the rows of one instant are ordered by: the sites or VPPs that they are about, or the parts that they come from. */
export type RowOrder = "site" | "vpp" | "part";

/** How a part hands over its rows. */
export interface RowFormats {
  /** Formats in which it writes them. */
  readonly texts: readonly TextFormat[];
  readonly layout: TableLayout;
  /** Whether a format needs the values too. */
  readonly hasCells: boolean;
}

/** Rows in a text format. */
interface EncodedRows {
  /** The header, if these are the first rows, then the rows. */
  readonly bytes: Uint8Array;
  /** Where each row starts, and where the last one ends. */
  readonly starts: Uint32Array;
}

/** Consecutive rows of one table of one part. */
export interface PartBlock {
  readonly rowCount: number;
  readonly atMs: Float64Array;
  /** Index of the site or VPP of each row within the part; `null`: the table has the order of the parts. */
  readonly places: Int32Array | null;
  /** By text format. */
  readonly texts: readonly EncodedRows[];
  /** Empty if no format needs values. */
  readonly columns: readonly TableColumn[];
}

/** Collects the rows of one table of one part. */
export class PartTable implements BlockSink {
  private readonly order: RowOrder;
  private readonly hasCells: boolean;
  private readonly writers: readonly { readonly rows: TextRows; readonly bytes: ByteCollector }[];
  private blocks: PartBlock[] = [];

  constructor(order: RowOrder, { texts, layout, hasCells }: RowFormats, allocate: Allocate) {
    this.order = order;
    this.hasCells = hasCells;
    this.writers = texts.map((format) => {
      const bytes = new ByteCollector(allocate);
      return { bytes, rows: textRows(format, layout, (taken) => bytes.add(taken)) };
    });
  }

  write(block: TableBlock): void {
    const { rowCount, columns } = block;
    const texts = this.writers.map(({ rows, bytes }): EncodedRows => {
      const starts = new Uint32Array(rowCount + 1);
      rows.write(block, starts);
      rows.flush();
      return { starts, bytes: bytes.takeAll() };
    });
    const [{ kind, values: atMs }] = columns;
    assert(kind === "instant", "the first column of a table of a part has instants");
    this.blocks.push({
      rowCount,
      atMs: atMs.slice(0, rowCount),
      places: this.order === "part" ? null : placesOf(block, this.order),
      texts,
      columns: this.hasCells ? copyBlock(block).columns : [],
    });
  }

  /** The rows since the last call. */
  takeBlocks(): readonly PartBlock[] {
    const { blocks } = this;
    this.blocks = [];
    return blocks;
  }
}

function placesOf({ rowCount, columns }: TableBlock, order: string): Int32Array {
  const column = columns.find(({ name }) => name === order);
  assert(column?.kind === "name", () => `a table in the order of each ${order} has a column of its names`);
  return column.values.slice(0, rowCount);
}

/** Memory for a number of bytes. */
export type Allocate = (bytes: number) => Uint8Array;

/** Bytes one after another. */
class ByteCollector {
  private readonly allocate: Allocate;
  private bytes = new Uint8Array(1 << 16);
  private length = 0;

  constructor(allocate: Allocate) {
    this.allocate = allocate;
  }

  add(more: Uint8Array): void {
    if (this.bytes.length < this.length + more.length) {
      const former = this.bytes;
      this.bytes = new Uint8Array(2 * (this.length + more.length));
      this.bytes.set(former.subarray(0, this.length));
    }
    this.bytes.set(more, this.length);
    this.length += more.length;
  }

  /** A copy of all. */
  takeAll(): Uint8Array {
    const taken = this.allocate(this.length);
    taken.set(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }
}
