import type { RecordingOptions } from "../../accounting/recorders/runRecorder.ts";
import type { PartRecord } from "../../accounting/recordOfParts.ts";
import { type RunOptions, SimulationRun } from "../../accounting/simulationRun.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { type Allocate, type PartBlock, PartTable, type RowFormats, type RowOrder } from "./partTable.ts";

/** Tables that are written while a run lasts, and the order of their rows of one instant. */
export const ROW_ORDER = {
  energy: "site",
  vppEnergy: "vpp",
  components: "site",
  power: "site",
  dispatch: "part",
  events: "part",
} as const satisfies { readonly [Table in keyof RecordingOptions]?: RowOrder };

export type BulkTable = keyof typeof ROW_ORDER;

/** The same for all parts of a run, and plain data. */
export interface PartsOptions extends Omit<RunOptions, BulkTable | "answer" | "settlement"> {
  readonly tables: readonly BulkTable[];
  readonly formats: RowFormats;
}

/** What a part has for the tables, and its record when it has ended. Plain data, where its blocks are. */
export interface PartRows<Block = PartBlock> {
  readonly part: number;
  readonly blocks: readonly (readonly [BulkTable, Block])[];
  readonly ended: { readonly record: PartRecord; readonly eventCount: number } | null;
}

/** The world of a part, with the number of the part. */
export type NumberedWorld = readonly [part: number, world: WorldSpec];

interface OpenPart {
  readonly part: number;
  readonly run: SimulationRun;
  readonly tables: ReadonlyMap<BulkTable, PartTable>;
}

/** Runs of some parts of a world, advanced together. */
export class PartsRun {
  private readonly options: PartsOptions;
  private readonly allocate: Allocate;
  private open: OpenPart[] = [];

  /** @param allocate  memory of rows that are handed over */
  constructor(options: PartsOptions, allocate: Allocate = (bytes) => new Uint8Array(bytes)) {
    this.options = options;
    this.allocate = allocate;
  }

  /**
   * Advances all parts to a share of the period, 0..1, not below the previous one. At 1 their runs end.
   *
   * @param worlds  of parts that begin
   */
  advanceToShare(share: number, worlds: readonly NumberedWorld[]): PartRows[] {
    for (const [part, world] of worlds) this.open.push(this.openPart(part, world));
    const rows = this.open.map(({ part, run, tables }): PartRows => {
      run.advanceToShare(share);
      run.flushTables();
      const ended = share < 1 ? null : { record: run.close(), eventCount: run.eventCount };
      const blocks = [...tables].flatMap(([name, table]) => table.takeBlocks().map((block) => [name, block] as const));
      return { part, blocks, ended };
    });
    if (share === 1) this.open = [];
    return rows;
  }

  private openPart(part: number, world: WorldSpec): OpenPart {
    const { tables: names, formats, ...options } = this.options;
    const tables = new Map(names.map((name) => [name, new PartTable(ROW_ORDER[name], formats, this.allocate)]));
    return { part, tables, run: new SimulationRun(world, { ...options, ...Object.fromEntries(tables) }) };
  }
}
