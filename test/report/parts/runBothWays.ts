// A run of a whole world, and of the same world in parts.
import type { RunRecord } from "../../../src/accounting/runRecord.ts";
import { SimulationRun } from "../../../src/accounting/simulationRun.ts";
import { divideWorld } from "../../../src/engine/simulation/worldParts.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import { runParts } from "../../../src/report/parts/runParts.ts";
import { type Row, RowCollector } from "../../accounting/tableRows.ts";

const TABLES = ["energy", "vppEnergy", "components", "power", "dispatch", "events"] as const;
/** As of a session that opened in the middle of the run. */
const recordingOf = ({ startMs, endMs }: WorldSpec) => ({
  intervalMs: 1_800_000,
  powerIntervalMs: 420_000,
  timelines: true,
  chronology: true,
  sessionOpenedMs: Math.floor((startMs + endMs) / 2),
});

interface Outcome {
  readonly tables: { readonly [Table in (typeof TABLES)[number]]: readonly Row[] };
  readonly record: RunRecord;
}

const openSinks = () =>
  Object.fromEntries(TABLES.map((table) => [table, new RowCollector()])) as Record<
    (typeof TABLES)[number],
    RowCollector
  >;

const rowsOf = (sinks: ReturnType<typeof openSinks>): Outcome["tables"] =>
  Object.fromEntries(TABLES.map((table) => [table, sinks[table].rows])) as unknown as Outcome["tables"];

export function runWhole(spec: WorldSpec): Outcome {
  const sinks = openSinks();
  const run = new SimulationRun(spec, { ...recordingOf(spec), ...sinks });
  run.advanceToShare(1);
  return { record: run.finish(), tables: rowsOf(sinks) };
}

export async function runDivided(spec: WorldSpec, windows: number): Promise<Outcome> {
  const sinks = openSinks();
  const { record } = await runParts(spec, divideWorld(spec, 1), {
    recording: recordingOf(spec),
    sinks,
    workers: 1,
    windows,
    onAdvance: async () => {},
  });
  return { record, tables: rowsOf(sinks) };
}

/** What occurs at one instant in several parts has no order of its own. */
export function comparable({ record, tables }: Outcome): object {
  const sorted = <Item>(items: readonly Item[], atMs: (item: Item) => unknown): readonly Item[] =>
    items
      .map((item) => ({ item, text: JSON.stringify(item), at: Number(atMs(item)) }))
      .sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1))
      .map(({ item }) => item);
  return {
    tables: {
      ...tables,
      dispatch: sorted(tables.dispatch, ({ timestamp }) => timestamp),
      events: sorted(tables.events, ({ timestamp }) => timestamp),
    },
    record: {
      ...record,
      warnings: record.warnings.map((text) => text.replace(/; first: .*/, "")),
      events: sorted(record.events, ({ atMs }) => atMs),
      outages: sorted(record.outages, ({ startMs }) => startMs),
      outputControls: sorted(record.outputControls, ({ startMs }) => startMs),
    },
  };
}
