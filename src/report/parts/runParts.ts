import { worldShape } from "../../accounting/recorders/worldShape.ts";
import { figuresOfParts, type PartRecord, recordOfParts } from "../../accounting/recordOfParts.ts";
import type { RunRecord } from "../../accounting/runRecord.ts";
import type { EpochMs } from "../../base/time.ts";
import { type WorldPart, worldOfPart } from "../../engine/simulation/worldParts.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Thread } from "../../platform/platform.ts";
import type { EncodedTable } from "../tables/localTables.ts";
import { type DeferredBlock, MergedTable } from "./mergedTable.ts";
import { type PartsHost, threadHosts } from "./partsHost.ts";
import { type BegunPart, type BulkTable, type PartRows, type PartsOptions, ROW_ORDER } from "./partsRun.ts";

/** Minimum number of sites of a part. The state of so many sites fits into the cache of a processor. */
export const PART_SITES_MIN = 100;
/** Maximum number of rows that wait until all parts have produced theirs. */
const WINDOW_ROWS = 250_000;
/**
 * Parts of larger worlds run one after the other, up to this number of rows, because together they would take too much
 * memory.
 */
const ONE_BY_ONE = { sites: 20_000, rows: 6_000_000 };

/** Opens a host that runs each part from start to end. */
export type OpenPartsHost = (options: PartsOptions, partCount: number) => Promise<PartsHost>;

interface PartsRunOptions {
  readonly recording: Omit<PartsOptions, "tables">;
  readonly tables: { readonly [Table in BulkTable]?: EncodedTable };
  /** Of `openPartsThreads`, besides this one; they are closed at the end. The result does not depend on them. */
  readonly threads: readonly Thread[];
  /** Instead of threads. */
  readonly openHost?: OpenPartsHost;
  /**
   * Number of instants at which all parts are synchronised; 0: they run one after the other. Default: as memory allows.
   */
  readonly windows?: number;
  /** What this thread does before its first part, while others simulate theirs. */
  readonly meanwhile: () => void;
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
  const { openHost, threads, meanwhile } = options;
  if (openHost !== undefined) meanwhile();
  const hosts =
    openHost === undefined
      ? threadHosts(threads, recording, { meanwhile, beginPart: (part) => beginPart(spec, parts, part) })
      : [await openHost(recording, parts.length)];
  const windows = openHost === undefined ? (options.windows ?? windowCount(spec, recording)) : 0;
  try {
    if (windows === 0) await runInTurn(hosts, merger, options.onAdvance);
    else await runTogether(hosts, windows, merger, options.onAdvance);
    return merger.finish();
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}

/** What a host needs of a part. @param part  its number */
export const beginPart = (spec: WorldSpec, parts: readonly WorldPart[], part: number): BegunPart => ({
  places: { part, sites: parts[part].sites, vpps: parts[part].vpps },
  world: worldOfPart(spec, parts[part]),
});

/** Runs each part from start to end. */
async function runInTurn(
  hosts: readonly PartsHost[],
  merger: PartMerger,
  onAdvance: PartsRunOptions["onAdvance"],
): Promise<void> {
  const { parts } = merger;
  let begun = 0;
  let ended = 0;
  const takeParts = async (host: PartsHost): Promise<void> => {
    while (begun < parts.length) {
      merger.add(await host.advance(1, [begun++]));
      await onAdvance(++ended / parts.length);
    }
  };
  await Promise.all(hosts.flatMap((host) => Array.from({ length: host.tasksMax }, () => takeParts(host))));
}

/** Advances all parts from window to window. */
async function runTogether(
  hosts: readonly PartsHost[],
  windows: number,
  merger: PartMerger,
  onAdvance: PartsRunOptions["onAdvance"],
): Promise<void> {
  const shares = divideParts(merger.parts, hosts.length);
  const tasks = hosts.map((): ReturnType<PartsHost["advance"]>[] => []);
  for (let window = 1; window <= windows; window++) {
    hosts.forEach((host, k) => {
      while (tasks[k].length < Math.min(windows, window + host.tasksMax - 1)) {
        const task = host.advance((tasks[k].length + 1) / windows, tasks[k].length === 0 ? shares[k] : []);
        // An error is reported where the task is awaited.
        task.catch(() => {});
        tasks[k].push(task);
      }
    });
    for (const sent of tasks) merger.add(await sent[window - 1]);
    merger.write();
    await onAdvance(window / windows);
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

/** Merges the results of the parts. */
class PartMerger {
  private readonly spec: WorldSpec;
  readonly parts: readonly WorldPart[];
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
        return table === undefined ? [] : [[name, new MergedTable(table, parts.length)] as const];
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
