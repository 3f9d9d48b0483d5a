import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import { copyBlock } from "./recorders/mergedTable.ts";
import type { RecordingOptions } from "./recorders/runRecorder.ts";
import type { TableBlock } from "./recorders/tableBlock.ts";
import type { PartRecord } from "./recordOfParts.ts";
import { type RunOptions, SimulationRun } from "./simulationRun.ts";

/** Tables that are written while a run lasts. */
export type BulkTable = "energy" | "vppEnergy" | "components" | "power" | "dispatch" | "events";

export interface PartsOptions extends Omit<RunOptions, BulkTable | "answer" | "settlement"> {
  readonly tables: readonly (BulkTable & keyof RecordingOptions)[];
}

/** What a part has for the tables, and its record when it has ended. Plain data, where its blocks are. */
export interface PartRows<Block = TableBlock> {
  readonly part: number;
  readonly blocks: readonly (readonly [BulkTable, Block])[];
  readonly ended: { readonly record: PartRecord; readonly eventCount: number } | null;
}

/** The world of a part, with the number of the part. */
export type NumberedWorld = readonly [part: number, world: WorldSpec];

interface OpenPart {
  readonly part: number;
  readonly run: SimulationRun;
  blocks: [BulkTable, TableBlock][];
}

/** Runs of some parts of a world, advanced together. */
export class PartsRun {
  private readonly options: PartsOptions;
  private open: OpenPart[] = [];

  constructor(options: PartsOptions) {
    this.options = options;
  }

  /**
   * Advances all parts to a share of the period, 0..1, not below the previous one. At 1 their runs end.
   *
   * @param worlds  of parts that begin
   */
  advanceToShare(share: number, worlds: readonly NumberedWorld[]): PartRows[] {
    for (const [part, world] of worlds) this.open.push(this.openPart(part, world));
    const rows = this.open.map((open): PartRows => {
      const { part, run } = open;
      run.advanceToShare(share);
      run.flushTables();
      const ended = share < 1 ? null : { record: run.close(), eventCount: run.eventCount };
      const { blocks } = open;
      open.blocks = [];
      return { part, blocks, ended };
    });
    if (share === 1) this.open = [];
    return rows;
  }

  private openPart(part: number, world: WorldSpec): OpenPart {
    const { tables, ...options } = this.options;
    const sinkOf = (table: BulkTable) => ({
      write: (block: TableBlock): void => {
        open.blocks.push([table, copyBlock(block)]);
      },
    });
    const sinks = Object.fromEntries(tables.map((table) => [table, sinkOf(table)]));
    const open: OpenPart = { part, run: new SimulationRun(world, { ...options, ...sinks }), blocks: [] };
    return open;
  }
}
