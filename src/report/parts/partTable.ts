import { type BlockSink, copyBlock, type TableBlock, type TableColumn } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";
import type { WorldPart } from "../../engine/simulation/worldParts.ts";
import type { TableLayout } from "../tables/tableLayout.ts";
import type { TextRows } from "../tables/textRows.ts";
import { type TextFormat, textRows } from "../tables/textTableWriter.ts";
import { RowMemory } from "./rowMemory.ts";

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
  /** Where each piece starts, and where the last one ends. */
  readonly starts: Uint32Array;
}

/**
 * Consecutive rows of one table of one part, in pieces: rows of one instant between which the table has no row of another part.
 */
export interface PartBlock {
  /** Of each piece. */
  readonly atMs: Float64Array;
  /** Of each piece: the site or VPP of its first row, as index in the world; the number of the part where the table has that order. */
  readonly places: Int32Array;
  /** First row of each piece, and the number of rows. */
  readonly rows: Uint32Array;
  /** By text format. */
  readonly texts: readonly EncodedRows[];
  /** Empty if no format needs values. */
  readonly columns: readonly TableColumn[];
}

/** Index in the world of each site and VPP of a part, and the number of the part. */
export interface PartPlaces extends Pick<WorldPart, "sites" | "vpps"> {
  readonly part: number;
}

/** Collects the rows of one table of one part. */
export class PartTable implements BlockSink {
  private readonly order: RowOrder;
  private readonly places: PartPlaces;
  private readonly hasCells: boolean;
  /** Of the next rows. */
  memory = new RowMemory();
  private readonly writers: readonly TextRows[];
  private blocks: PartBlock[] = [];

  constructor(order: RowOrder, places: PartPlaces, { texts, layout, hasCells }: RowFormats) {
    this.order = order;
    this.places = places;
    this.hasCells = hasCells;
    this.writers = texts.map((format) => textRows(format, layout, (bytes) => this.memory.add(bytes)));
  }

  write(block: TableBlock): void {
    const pieces = this.piecesOf(block);
    const texts = this.writers.map((writer): EncodedRows => {
      const starts = new Uint32Array(pieces.rows.length);
      writer.write(block, { rows: pieces.rows, starts });
      writer.flush();
      return { starts, bytes: this.memory.take() };
    });
    this.blocks.push({ ...pieces, texts, columns: this.hasCells ? copyBlock(block).columns : [] });
  }

  /** The rows since the last call. */
  takeBlocks(): readonly PartBlock[] {
    const { blocks } = this;
    this.blocks = [];
    return blocks;
  }

  private piecesOf({ rowCount, columns }: TableBlock): Pick<PartBlock, "atMs" | "places" | "rows"> {
    const [{ kind, values: instants }] = columns;
    assert(kind === "instant", "the first column of a table of a part has instants");
    const atMs: number[] = [];
    const places: number[] = [];
    const rows: number[] = [];
    const placeAt = this.placeReader(columns);
    let last = Number.NaN;
    for (let row = 0; row < rowCount; row++) {
      const place = placeAt(row);
      if (row === 0 || instants[row] !== instants[row - 1] || (place !== last && place !== last + 1)) {
        atMs.push(instants[row]);
        places.push(place);
        rows.push(row);
      }
      last = place;
    }
    return {
      atMs: Float64Array.from(atMs),
      places: Int32Array.from(places),
      rows: Uint32Array.from([...rows, rowCount]),
    };
  }

  private placeReader(columns: readonly TableColumn[]): (row: number) => number {
    const { order, places } = this;
    if (order === "part") return () => places.part;
    const column = columns.find(({ name }) => name === order);
    assert(column?.kind === "name", () => `a table in the order of each ${order} has a column of its names`);
    const indices = order === "site" ? places.sites : places.vpps;
    return (row) => indices[column.values[row]];
  }
}
