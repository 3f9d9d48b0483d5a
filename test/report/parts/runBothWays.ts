// A run of a whole world, and of the same world in parts.

import type { TableBlock } from "../../../src/accounting/recorders/tableBlock.ts";
import type { RunRecord } from "../../../src/accounting/runRecord.ts";
import { SimulationRun } from "../../../src/accounting/simulationRun.ts";
import { divideWorld } from "../../../src/engine/simulation/worldParts.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import { runParts } from "../../../src/report/parts/runParts.ts";
import { PLAIN_LAYOUT } from "../../../src/report/tables/tableLayout.ts";
import { textRows } from "../../../src/report/tables/textTableWriter.ts";
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

type Tables<Table> = { readonly [Name in (typeof TABLES)[number]]: Table };

interface Outcome {
  readonly tables: Tables<readonly Row[]>;
  /** The same tables as CSV. */
  readonly csv: Tables<string>;
  readonly record: RunRecord;
}

const ofEach = <Table>(make: (name: (typeof TABLES)[number]) => Table) =>
  Object.fromEntries(TABLES.map((name) => [name, make(name)])) as Tables<Table>;

/** A table with the rows and the text that it takes. */
class TakenTable {
  readonly cells = new RowCollector();
  private readonly bytes: Uint8Array[] = [];
  readonly texts = [(bytes: Uint8Array) => void this.bytes.push(bytes.slice())];

  get csv(): string {
    return Buffer.concat(this.bytes).toString();
  }
}

const outcome = (record: RunRecord, taken: Tables<TakenTable>): Outcome => ({
  record,
  tables: ofEach((name) => taken[name].cells.rows),
  csv: ofEach((name) => taken[name].csv),
});

export function runWhole(spec: WorldSpec): Outcome {
  const taken = ofEach(() => new TakenTable());
  const encoders = ofEach((name) => textRows("csv", PLAIN_LAYOUT, taken[name].texts[0]));
  const sinks = ofEach((name) => ({
    write: (block: TableBlock) => {
      taken[name].cells.write(block);
      encoders[name].write(block);
    },
  }));
  const run = new SimulationRun(spec, { ...recordingOf(spec), ...sinks });
  run.advanceToShare(1);
  const record = run.finish();
  for (const name of TABLES) encoders[name].flush();
  return outcome(record, taken);
}

export async function runDivided(spec: WorldSpec, windows: number): Promise<Outcome> {
  const tables = ofEach(() => new TakenTable());
  const formats = { texts: ["csv"] as const, layout: PLAIN_LAYOUT, hasCells: true };
  const { record } = await runParts(spec, divideWorld(spec, 1), {
    recording: { ...recordingOf(spec), formats },
    tables,
    threads: [],
    meanwhile: () => {},
    windows,
    onAdvance: async () => {},
  });
  return outcome(record, tables);
}

/** What occurs at one instant in several parts has no order of its own. */
export function comparable({ record, tables, csv }: Outcome): object {
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
    csv: { ...csv, dispatch: csv.dispatch.split("\n").sort(), events: csv.events.split("\n").sort() },
    record: {
      ...record,
      warnings: record.warnings.map((text) => text.replace(/; first: .*/, "")),
      events: sorted(record.events, ({ atMs }) => atMs),
      outages: sorted(record.outages, ({ startMs }) => startMs),
      outputControls: sorted(record.outputControls, ({ startMs }) => startMs),
    },
  };
}
