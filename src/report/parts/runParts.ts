import { platform } from "#platform";
import { worldShape } from "../../accounting/recorders/worldShape.ts";
import { figuresOfParts, type PartRecord, recordOfParts } from "../../accounting/recordOfParts.ts";
import type { RunRecord } from "../../accounting/runRecord.ts";
import type { EpochMs } from "../../base/time.ts";
import { type WorldPart, worldOfPart } from "../../engine/simulation/worldParts.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { EncodedTable } from "../tables/localTables.ts";
import { type DeferredBlock, MergedTable } from "./mergedTable.ts";
import {
  type BulkTable,
  type NumberedWorld,
  type PartRows,
  type PartsOptions,
  PartsRun,
  ROW_ORDER,
} from "./partsRun.ts";
import type { PartsTask } from "./partsThread.ts";
import { worldMessage } from "./worldMessage.ts";

/** Minimum number of sites of a part. The state of so many sites fits into the cache of a processor. */
export const PART_SITES_MIN = 100;
/** Maximum number of rows that wait until all parts have produced theirs. */
const WINDOW_ROWS = 250_000;
/**
 * Parts of larger worlds run one after the other, up to this number of rows, because together they would take too much
 * memory.
 */
const ONE_BY_ONE = { sites: 20_000, rows: 6_000_000 };

/** Where some parts run: this thread, another one, or other processes. */
export interface PartsHost {
  /**
   * Advances all parts of this host, as `PartsRun`.
   *
   * @param begun  parts that begin
   */
  advance(share: number, begun: readonly number[]): Promise<readonly PartRows<DeferredBlock>[]>;
  close(): Promise<void>;
}

/** Opens hosts, each of which runs one part at a time, from start to end. At most one for each part. */
export type OpenPartsHosts = (options: PartsOptions, partCount: number) => Promise<readonly PartsHost[]>;

interface PartsRunOptions {
  readonly recording: Omit<PartsOptions, "tables">;
  readonly tables: { readonly [Table in BulkTable]?: EncodedTable };
  /** Number of threads, at least 1; 1: this one. The result does not depend on it. */
  readonly workers: number;
  /** Instead of threads. */
  readonly openHosts?: OpenPartsHosts;
  /**
   * Number of instants at which all parts are synchronised; 0: they run one after the other. Default: as memory allows.
   */
  readonly windows?: number;
  /** Called with the completed fraction. @throws to stop the run */
  readonly onAdvance: (done: number) => Promise<void>;
}

/** Runs the parts of a world (docs/model/parts.md) and merges their rows and records. */
export async function runParts(
  spec: WorldSpec,
  parts: readonly WorldPart[],
  options: PartsRunOptions,
): Promise<{ readonly record: RunRecord; readonly eventCount: number }> {
  const merger = new PartMerger(spec, parts, options.tables);
  const recording = { ...options.recording, shape: worldShape(spec), tables: merger.tables };
  const worldOf = (part: number): NumberedWorld => [part, worldOfPart(spec, parts[part])];
  const { openHosts: openOthers } = options;
  const hosts =
    openOthers === undefined
      ? await openHosts(Math.min(options.workers, parts.length), recording, worldOf)
      : await openOthers(recording, parts.length);
  try {
    const windows = openOthers === undefined ? (options.windows ?? windowCount(spec, recording)) : 0;
    if (windows === 0) {
      let begun = 0;
      let ended = 0;
      const runInTurn = async (host: PartsHost): Promise<void> => {
        while (begun < parts.length) {
          merger.add(await host.advance(1, [begun++]));
          await options.onAdvance(++ended / parts.length);
        }
      };
      await Promise.all(hosts.map(runInTurn));
    } else {
      const shares = divideParts(parts, hosts.length);
      const advance = (window: number) =>
        hosts.map((host, k) => host.advance(window / windows, window === 1 ? shares[k] : []));
      let next = advance(1);
      for (let window = 1; window <= windows; window++) {
        for (const rows of await Promise.all(next)) merger.add(rows);
        // Threads continue while the rows are written.
        if (window < windows) next = advance(window + 1);
        merger.write();
        await options.onAdvance(window / windows);
      }
    }
    return merger.finish();
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}

/** Number of instants at which all parts are synchronised; 0: they run one after the other. */
function windowCount(
  { startMs, endMs, sites }: WorldSpec,
  { intervalMs, powerIntervalMs = intervalMs }: { readonly intervalMs: EpochMs; readonly powerIntervalMs?: EpochMs },
): number {
  const rows = sites.length * Math.ceil((endMs - startMs) / Math.min(intervalMs, powerIntervalMs));
  if (ONE_BY_ONE.sites < sites.length && rows <= ONE_BY_ONE.rows) return 0;
  return Math.max(1, Math.ceil(rows / WINDOW_ROWS));
}

/** Numbers of parts for each host, with about as many sites each. */
function divideParts(parts: readonly WorldPart[], hostCount: number): readonly (readonly number[])[] {
  const shares = Array.from({ length: hostCount }, () => ({ parts: [] as number[], sites: 0 }));
  parts.forEach(({ sites }, part) => {
    const least = shares.reduce((a, b) => (b.sites < a.sites ? b : a));
    least.parts.push(part);
    least.sites += sites.length;
  });
  return shares.map((share) => share.parts);
}

async function openHosts(
  count: number,
  options: PartsOptions,
  worldOf: (part: number) => NumberedWorld,
): Promise<readonly PartsHost[]> {
  if (count === 1) {
    const run = new PartsRun(options);
    return [{ advance: async (share, begun) => run.advanceToShare(share, begun.map(worldOf)), close: async () => {} }];
  }
  return Array.from({ length: count }, () => {
    const thread = platform.openThread("report/parts/partsThread");
    return {
      advance: (share, begun) => {
        const worlds = begun.map(worldOf).map(([part, world]) => [part, worldMessage(world)] as const);
        const task: PartsTask = { options, share, worlds };
        return thread.run<PartRows[]>(task);
      },
      close: () => thread.close(),
    };
  });
}

/** Merges the results of the parts. */
class PartMerger {
  private readonly spec: WorldSpec;
  private readonly parts: readonly WorldPart[];
  private readonly merged: ReadonlyMap<BulkTable, MergedTable>;
  private readonly records: (PartRecord | null)[];
  private eventCount = 0;

  constructor(spec: WorldSpec, parts: readonly WorldPart[], tables: PartsRunOptions["tables"]) {
    this.spec = spec;
    this.parts = parts;
    this.records = parts.map(() => null);
    this.merged = new Map(
      (Object.keys(ROW_ORDER) as BulkTable[]).flatMap((name) => {
        const table = tables[name];
        return table === undefined ? [] : [[name, new MergedTable(table, ROW_ORDER[name], parts)] as const];
      }),
    );
  }

  get tables(): readonly BulkTable[] {
    return [...this.merged.keys()];
  }

  add(rows: readonly PartRows<DeferredBlock>[]): void {
    for (const { part, blocks, ended } of rows) {
      for (const [table, block] of blocks) this.merged.get(table)?.add(part, block);
      if (ended === null) continue;
      this.records[part] = ended.record;
      this.eventCount += ended.eventCount;
    }
  }

  /** Writes the rows up to the instant that all parts have reached. */
  write(): void {
    for (const table of this.merged.values()) table.write();
  }

  finish(): { readonly record: RunRecord; readonly eventCount: number } {
    this.write();
    const recorded = this.parts.map((part, k) => ({ part, record: this.records[k] as PartRecord }));
    const figures = figuresOfParts(this.spec, recorded);
    return { record: recordOfParts(this.spec, recorded, figures), eventCount: this.eventCount };
  }
}
