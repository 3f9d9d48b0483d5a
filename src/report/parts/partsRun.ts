import type { RecordingOptions } from "../../accounting/recorders/runRecorder.ts";
import type { PartRecord } from "../../accounting/recordOfParts.ts";
import { type RunOptions, SimulationRun } from "../../accounting/simulationRun.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { type PartBlock, type PartPlaces, PartTable, type RowFormats, type RowOrder } from "./partTable.ts";
import type { RowMemory } from "./rowMemory.ts";

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

/** A part that begins. */
export interface BegunPart {
  readonly places: PartPlaces;
  readonly world: WorldSpec;
}

interface OpenPart {
  readonly part: number;
  readonly run: SimulationRun;
  readonly tables: ReadonlyMap<BulkTable, PartTable>;
}

/** Number of tasks that another thread has before their rows are written: it continues while the first one writes. */
export const THREAD_TASKS_MAX = 2;

/** Runs of some parts of a world, advanced together. */
export class PartsRun {
  private readonly options: PartsOptions;
  private readonly memories: readonly RowMemory[];
  private tasks = 0;
  private open: OpenPart[] = [];

  /** @param memories  used in turn: the reader of the rows has written those of a task when it is the turn of its memory again */
  constructor(options: PartsOptions, memories: readonly RowMemory[]) {
    this.options = options;
    this.memories = memories;
  }

  /**
   * Advances all parts to a share of the period, 0..1, not below the previous one. At 1 their runs end.
   *
   * @param begun  parts that begin; if parts begin in each task, the memory of rows is not used again
   */
  advanceToShare(share: number, begun: readonly BegunPart[]): PartRows[] {
    const memory = this.memories[this.tasks++ % this.memories.length];
    if (begun.length === 0) memory.clear();
    for (const part of begun) this.open.push(this.openPart(part));
    const rows = this.open.map(({ part, run, tables }): PartRows => {
      for (const table of tables.values()) table.memory = memory;
      run.advanceToShare(share);
      run.flushTables();
      const ended = share < 1 ? null : { record: run.close(), eventCount: run.eventCount };
      const blocks = [...tables].flatMap(([name, table]) => table.takeBlocks().map((block) => [name, block] as const));
      return { part, blocks, ended };
    });
    if (share === 1) this.open = [];
    return rows;
  }

  private openPart({ places, world }: BegunPart): OpenPart {
    const { tables: names, formats, ...options } = this.options;
    const tables = new Map(names.map((name) => [name, new PartTable(ROW_ORDER[name], places, formats)]));
    const run = new SimulationRun(world, { ...options, ...Object.fromEntries(tables) });
    return { part: places.part, tables, run };
  }
}
