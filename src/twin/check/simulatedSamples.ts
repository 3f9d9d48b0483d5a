import type { BlockSink, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import type { RunRecord } from "../../accounting/runRecord.ts";
import { SimulationRun } from "../../accounting/simulationRun.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { createRequestHandler } from "../../report/createRequestHandler.ts";
import { type MeasuredColumn, type MeasuredSite, measuredSite } from "../measured/measuredSeries.ts";

/** Values of one site at each whole minute from the start of a run; NaN: none. */
export interface MinuteSamples {
  readonly currentKw: Float64Array;
  readonly socPct: Float64Array;
  readonly baselineKw: Float64Array;
  readonly deltaKw: Float64Array;
}

/** A run of a world with the samples of each site, in the order of the world. */
export interface SampledRun {
  readonly record: RunRecord;
  readonly samples: readonly MinuteSamples[];
}

/** Columns of the table of power. */
const COLUMNS = {
  currentKw: "current_kw",
  socPct: "soc_pct",
  baselineKw: "baseline_kw",
  deltaKw: "dispatched_delta_kw",
} as const satisfies Record<keyof MinuteSamples, string>;
const SAMPLED = Object.keys(COLUMNS) as (keyof MinuteSamples)[];

export async function runSampled(world: WorldSpec): Promise<SampledRun> {
  const minutes = Math.ceil((world.endMs - world.startMs) / MS_PER_MINUTE);
  const none = () => new Float64Array(minutes).fill(Number.NaN);
  const samples = world.sites.map(() => ({ currentKw: none(), socPct: none(), baselineKw: none(), deltaKw: none() }));
  const power: BlockSink = {
    write: ({ rowCount, columns }) => {
      const [atMs, sites, ...values] = ["timestamp", "site", ...Object.values(COLUMNS)].map((name) =>
        valuesOf(columns, name),
      );
      for (let row = 0; row < rowCount; row++) {
        const minute = Math.round((atMs[row] - world.startMs) / MS_PER_MINUTE);
        SAMPLED.forEach((name, k) => {
          samples[sites[row]][name][minute] = values[k][row] / 1000;
        });
      }
    },
  };
  const options = { intervalMs: 0, powerIntervalMs: MS_PER_MINUTE, power, timelines: false };
  const run = new SimulationRun(world, { ...options, ...(await createRequestHandler(world)) });
  run.advanceToShare(1);
  return { record: run.finish(), samples };
}

function valuesOf(columns: readonly TableColumn[], name: string): Float64Array | Int32Array {
  const column = columns.find((each) => each.name === name);
  return column === undefined || column.kind === "text" ? new Float64Array(0) : column.values;
}

/** The samples of a run in the form of a measurement. */
export function asMeasured(site: string, samples: MinuteSamples, startMs: EpochMs): MeasuredSite {
  const { currentKw, baselineKw, deltaKw, socPct } = samples;
  const timesMs = Float64Array.from(currentKw, (_, minute) => startMs + minute * MS_PER_MINUTE);
  const columns = new Map<MeasuredColumn, Float64Array>([
    ["current_kw", currentKw],
    ["baseline_kw", baselineKw],
    ["dispatched_delta_kw", deltaKw],
    ["soc", socPct],
  ]);
  return measuredSite(site, [{ label: "instant", spacingMs: MS_PER_MINUTE, timesMs, columns }]);
}

/** Index of the last sample at or before an instant; -1: before the first. */
export const minuteAt = (atMs: EpochMs, startMs: EpochMs): number => Math.floor((atMs - startMs) / MS_PER_MINUTE);
