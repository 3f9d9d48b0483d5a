import { assert } from "../../base/assert.ts";
import type { WorldPart } from "../../engine/simulation/worldParts.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { ENERGY_FIELDS, type EnergyField } from "../../engine/site/meters/energyRegisters.ts";
import { BLOCK_ROWS, type BlockSink, type TableBlock, type TableColumn } from "./tableBlock.ts";

/** What the rows of one instant are ordered by: the sites or VPPs that they are about, or the parts that they come from. */
export type RowOrder = "site" | "vpp" | "part";

/** A copy of the rows of a block. */
export const copyBlock = ({ rowCount, columns }: TableBlock): TableBlock => ({
  rowCount,
  columns: columns.map((column) => ({ ...column, values: column.values.slice(0, rowCount) }) as TableColumn),
});

/** A block, or what makes it when its rows come next. */
export type DeferredBlock = TableBlock | (() => TableBlock);

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
  readonly block: TableBlock;
  readonly from: number;
  readonly to: number;
  readonly firstPlace: number;
  readonly lastPlace: number;
}

/**
 * One table of a run in parts. It takes the rows of each part in order of time, and passes on the rows of all by their first
 * column, an instant, and then by the sites or VPPs of the whole world. Columns that a part does not have are empty in its rows.
 */
export class MergedTable {
  private readonly sink: BlockSink;
  private readonly order: RowOrder;
  readonly spec: WorldSpec;
  readonly parts: readonly WorldPart[];
  private readonly pending: readonly PendingRows[];
  private columns: readonly OutputColumn[] = [];
  private rowCount = 0;
  private hasWritten = false;

  constructor(sink: BlockSink, order: RowOrder, spec: WorldSpec, parts: readonly WorldPart[]) {
    this.sink = sink;
    this.order = order;
    this.spec = spec;
    this.parts = parts;
    this.pending = parts.map(() => ({ blocks: [], row: 0 }));
  }

  /** @param block  is kept */
  add(part: number, block: DeferredBlock): void {
    this.pending[part].blocks.push(block);
  }

  /** Writes all rows; every part has added its rows up to the same instant. */
  write(): void {
    if (this.pending.every(({ blocks }) => blocks.length === 0)) return;
    if (this.columns.length === 0) this.columns = this.openColumns();
    for (const rows of this.pending) skipEmptyBlocks(rows);
    for (;;) {
      const atMs = this.pending.reduce((least, rows) => Math.min(least, nextMs(rows)), Number.POSITIVE_INFINITY);
      if (atMs === Number.POSITIVE_INFINITY) break;
      for (const range of inOrder(this.takeRanges(atMs), (range, row) => this.placeOf(range.part, range.block, row)))
        this.copyRange(range);
    }
    if (this.rowCount > 0 || !this.hasWritten) this.flush();
  }

  private takeRanges(atMs: number): RowRange[] {
    const ranges: RowRange[] = [];
    this.pending.forEach((rows, part) => {
      while (nextMs(rows) === atMs) {
        const block = openFirst(rows);
        const times = block.columns[0].values;
        const from = rows.row;
        while (rows.row < block.rowCount && times[rows.row] === atMs) rows.row++;
        const to = rows.row;
        const [firstPlace, lastPlace] = [this.placeOf(part, block, from), this.placeOf(part, block, to - 1)];
        ranges.push({ part, block, from, to, firstPlace, lastPlace });
        skipEmptyBlocks(rows);
      }
    });
    return ranges;
  }

  private placeOf(part: number, { columns }: TableBlock, row: number): number {
    if (this.order === "part") return part;
    const column = columns.find(({ name }) => name === this.order);
    assert(column?.kind === "name", () => `a table in the order of each ${this.order} has a column of its names`);
    return this.parts[part][this.order === "site" ? "sites" : "vpps"][column.values[row]];
  }

  private copyRange({ part, block, from, to }: RowRange): void {
    for (let row = from; row < to; ) {
      if (this.rowCount === BLOCK_ROWS) this.flush();
      const until = Math.min(to, row + BLOCK_ROWS - this.rowCount);
      for (const column of this.columns) column.copy(part, block, row, until, this.rowCount);
      this.rowCount += until - row;
      row = until;
    }
  }

  private flush(): void {
    this.hasWritten = true;
    this.sink.write({ rowCount: this.rowCount, columns: this.columns.map(({ column }) => column) });
    this.rowCount = 0;
  }

  /** The columns of all parts, fields of energy in their order. */
  private openColumns(): OutputColumn[] {
    const known = new Map<string, TableColumn>();
    const layouts = this.pending.map((rows) => (rows.blocks.length === 0 ? [] : openFirst(rows).columns));
    for (const layout of [...layouts].sort((a, b) => b.length - a.length))
      for (const column of layout) if (!known.has(column.name)) known.set(column.name, column);
    const names = [...known.keys()];
    const firstField = names.findIndex(isEnergyField);
    if (0 <= firstField) {
      const fields = names.filter(isEnergyField).sort((a, b) => ENERGY_FIELDS.indexOf(a) - ENERGY_FIELDS.indexOf(b));
      const others = names.filter((name) => !isEnergyField(name));
      names.splice(0, names.length, ...others.slice(0, firstField), ...fields, ...others.slice(firstField));
    }
    return names.map((name) => new OutputColumn(known.get(name) as TableColumn, layouts, this));
  }
}

const isEnergyField = (name: string): name is EnergyField => (ENERGY_FIELDS as readonly string[]).includes(name);

function openFirst({ blocks }: PendingRows): TableBlock {
  const [block] = blocks;
  if (typeof block !== "function") return block;
  const opened = block();
  blocks[0] = opened;
  return opened;
}

const nextMs = (rows: PendingRows): number =>
  rows.blocks.length === 0 ? Number.POSITIVE_INFINITY : (openFirst(rows).columns[0].values as Float64Array)[rows.row];

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

/** A column of the merged table, and how it takes values from the parts. */
class OutputColumn {
  readonly column: TableColumn;
  /** Index in the merged column of each name of a part; `null`: the column has no names. */
  private readonly nameIndices: readonly (readonly number[])[] | null;
  /** Index of the column in the blocks of each part; -1: it does not have it. */
  private readonly sources: readonly number[];

  /** @param layouts  columns of each part */
  constructor(
    like: TableColumn,
    layouts: readonly (readonly TableColumn[])[],
    { spec, parts }: { readonly spec: WorldSpec; readonly parts: readonly WorldPart[] },
  ) {
    this.sources = layouts.map((columns) => columns.findIndex(({ name }) => name === like.name));
    this.nameIndices = null;
    if (like.kind === "text") this.column = { ...like, values: new Array(BLOCK_ROWS).fill(null) };
    else if (like.kind !== "name") this.column = { ...like, values: new Float64Array(BLOCK_ROWS) };
    else {
      const known = like.name === "site" ? spec.sites : like.name === "vpp" ? spec.vpps : [];
      const indexOf = new Map(known.map(({ name }, k) => [name, k]));
      this.nameIndices = parts.map((_, part) => {
        const column = layouts[part][this.sources[part]];
        if (column?.kind !== "name") return [];
        for (const name of column.names) if (!indexOf.has(name)) indexOf.set(name, indexOf.size);
        return column.names.map((name) => indexOf.get(name) as number);
      });
      this.column = { ...like, values: new Int32Array(BLOCK_ROWS), names: [...indexOf.keys()] };
    }
  }

  /** Copies rows `from` to before `to` of a block to row `at`. */
  copy(part: number, block: TableBlock, from: number, to: number, at: number): void {
    const { column } = this;
    const index = this.sources[part];
    const source = index < 0 ? null : block.columns[index].values;
    if (column.kind === "text") {
      const target = column.values as (string | null)[];
      for (let k = from; k < to; k++) target[at + k - from] = (source?.[k] ?? null) as string | null;
    } else if (source === null) column.values.fill(column.kind === "name" ? -1 : Number.NaN, at, at + to - from);
    else if (this.nameIndices === null) column.values.set((source as Float64Array).subarray(from, to), at);
    else {
      const indices = this.nameIndices[part];
      for (let k = from; k < to; k++) column.values[at + k - from] = indices[source[k] as number] ?? -1;
    }
  }
}
