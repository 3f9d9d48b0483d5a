import { platform } from "#platform";
import type { BlockSink, TableBlock } from "../accounting/recorders/tableBlock.ts";
import type { RunRecord } from "../accounting/runRecord.ts";
import { type RunOptions, SimulationRun } from "../accounting/simulationRun.ts";
import { currencyOf, moneyName } from "../base/currency.ts";
import type { Language } from "../base/language.ts";
import { roundTo } from "../base/rounding.ts";
import { isoUtc } from "../base/time.ts";
import type { StepEngine } from "../engine/kernel/stepper.ts";
import { divideWorld, type WorldPart } from "../engine/simulation/worldParts.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import { remarksJson } from "../inputs/scenario/checks/remark.ts";
import type { SettingLeaves } from "../inputs/scenario/effectiveSettings.ts";
import type { Scenario } from "../inputs/scenario/scenario.ts";
import { bidTotals } from "../market/clearBid.ts";
import type { SettledSlots } from "../market/priceSlots.ts";
import type { Reconciliation } from "../market/reconciliation.ts";
import type { Settlement } from "../market/settlement.ts";
import { SettlementCollector } from "../market/settlementCollector.ts";
import { itemTotals } from "../market/settlementSummary.ts";
import type { ReportSink, StagingFiles } from "../platform/files.ts";
import type { Thread } from "../platform/platform.ts";
import { VERSION } from "../version.ts";
import type { AlarmRow, AlarmSource } from "./alarmRow.ts";
import { createRequestHandler } from "./createRequestHandler.ts";
import { midnightBefore } from "./html/page/pageLocale.ts";
import type { ReportPage } from "./html/page/reportPage.ts";
import { kpiJson, sessionJson } from "./kpiJson.ts";
import { neverFacts } from "./neverText.ts";
import { openPartsThreads } from "./parts/partsHost.ts";
import type { BulkTable } from "./parts/partsRun.ts";
import type { RowFormats } from "./parts/partTable.ts";
import { type OpenPartsHost, PART_SITES_MIN, runParts } from "./parts/runParts.ts";
import { type FileDigests, inputDigests, writeRunJson, writeText } from "./runJson.ts";
import { RunStopped } from "./runStopped.ts";
import { type SettledRun, settledRunOf } from "./settle/settledRun.ts";
import { SLOTS_FILE, slotsText } from "./settle/settlementSlots.ts";
import { awardsBlock } from "./tables/awardsTable.ts";
import { type EncodedTable, openLocalTables, type TableStore } from "./tables/localTables.ts";
import { openTableStore } from "./tables/openTableStore.ts";
import { inCurrency, rowSlices } from "./tables/rowsToBlock.ts";
import { settlementTables } from "./tables/settlementTables.ts";
import { alarmsBlock, bidsBlock, kindTableBlock, sitesBlock, siteTableRows } from "./tables/smallTables.ts";
import { SUMMARY_SHEET, summaryBlock } from "./tables/summarySheet.ts";
import { type ClosedTables, writeParts } from "./tables/tableFile.ts";
import { tableLayout } from "./tables/tableLayout.ts";
import { textFormats } from "./tables/textTableWriter.ts";

export interface RunScenarioOptions {
  /** Folder of the report, created or replaced. Without it nothing is written. */
  readonly out?: string;
  /** Further input files of the run, such as its patch. A folder that contains one is not replaced. */
  readonly inputs?: readonly string[];
  /** Called with the completed fraction, 0..1. */
  readonly onProgress?: (done: number) => void;
  /** IANA time zone of report.html; by default that of the scenario. */
  readonly timezone?: string;
  /** Of the pages; by default that of the scenario. */
  readonly language?: Language;
  /** Stops the run between two slices, without a report. */
  readonly signal?: AbortSignal;
  /** Number of threads for VPPs that share nothing; the report does not depend on it. Default 1: the caller's. */
  readonly workers?: number;
  /** The other threads, if they are open already (`openPartsThreads`); a run in parts closes them, else the caller. */
  readonly threads?: readonly Thread[];
  /** Where parts of the world run instead of threads. Not called where the world is one part (docs/model/parts.md#division). */
  readonly openPartsHost?: OpenPartsHost;
  /** Derives the alarms of an exported session, for alarms.csv and the page; without it a report has none. */
  readonly alarmsOf?: AlarmSource;
  /** How state machines are stepped; both engines give the same bytes. Default: the compiled table. */
  readonly engine?: StepEngine;
}

export interface ScenarioRun {
  readonly record: RunRecord;
  /** `null`: the scenario has none. */
  readonly settlement: Settlement | null;
  /** Absolute path of the report; `null` without `out`. */
  readonly folder: string | null;
  /** File names, sorted. */
  readonly files: readonly string[];
  /** Why tables are left out. */
  readonly notes: readonly string[];
  readonly eventCount: number;
  readonly wallSeconds: number;
}

const SLICES = 200;

/**
 * Runs a scenario and writes its report.
 *
 * @throws RunStopped, InputErrors (the folder must not be replaced), TableWriteError (the disk); the folder is then unchanged
 */
export async function runScenario(scenario: Scenario, options: RunScenarioOptions = {}): Promise<ScenarioRun> {
  const beganMs = wallMs();
  const inputs = [...scenario.inputFiles.keys(), ...(options.inputs ?? [])];
  const sink = options.out === undefined ? null : platform.openReport(options.out, inputs);
  const { settlement: settled } = scenario;
  // A market settles all VPPs together.
  const parts = settled === null ? divideWorld(scenario.world, PART_SITES_MIN) : [];
  const tables = await ReportTables.open(scenario, sink, parts);
  try {
    const collector = settled === null ? null : new SettlementCollector(settled, scenario.world);
    const onAdvance = async (done: number): Promise<void> => {
      options.onProgress?.(done);
      await tables.settle();
      // not simulated: lets the host deliver signals in between.
      await platform.yield();
      if (options.signal?.aborted) throw new RunStopped();
    };
    const settings: (readonly [string, string])[] = [];
    const writeSettings = (): void => {
      if (sink !== null) settings.push(writeParts(sink, SETTINGS_FILE, settingsParts(scenario)));
    };
    const work = { tables, collector, onAdvance, meanwhile: writeSettings };
    const { record: finished, eventCount } = await simulate(scenario, parts, options, work);
    const record = { ...finished, warnings: [...scenario.warnings, ...finished.warnings] };
    const slots = collector?.result?.slots ?? null;
    const settlement = collector?.result?.settlement ?? null;
    const isWritten = sink !== null && scenario.sessionAlarms !== null;
    const alarms = isWritten ? ((await options.alarmsOf?.(scenario)) ?? null) : null;
    tables.writeResults(record, settlement, alarms);
    const page = {
      staging: sink,
      timezone: options.timezone ?? scenario.timezone,
      language: options.language ?? scenario.language,
    };
    const documents = await writeDocuments(scenario, { record, settlement, slots, alarms }, page);
    const closed = await tables.close();
    const digests = [...closed.digests, ...settings, ...documents];
    const wallSeconds = (wallMs() - beganMs) / 1000;
    if (sink !== null) {
      writeRunStatistics(sink, digests, { scenario, options, eventCount, wallSeconds });
      sink.publish();
    }
    const files = sink === null ? [] : [...digests.map(([file]) => file), "run.json"].sort();
    const target = sink?.target ?? null;
    return { record, settlement, folder: target, files, notes: closed.notes, eventCount, wallSeconds };
  } catch (error) {
    await tables.abort();
    sink?.discard();
    throw error;
  }
}

interface RunWork {
  readonly tables: ReportTables;
  readonly collector: SettlementCollector | null;
  /** What does not need the simulation. */
  readonly meanwhile: () => void;
  readonly onAdvance: (done: number) => Promise<void>;
}

/** Runs the world whole, or in parts if there are several. */
async function simulate(
  scenario: Scenario,
  parts: readonly WorldPart[],
  options: RunScenarioOptions,
  { tables, collector, meanwhile, onAdvance }: RunWork,
): Promise<{ readonly record: RunRecord; readonly eventCount: number }> {
  const recording = recordingOf(scenario, options);
  if (parts.length > 1)
    return runParts(scenario.world, parts, {
      ...hostsOf(options, parts),
      recording: { ...recording, formats: rowFormats(scenario) },
      tables: tables.encoded,
      meanwhile,
      onAdvance,
    });
  meanwhile();
  const settled = collector === null ? {} : { settlement: collector };
  return runWhole(scenario.world, { ...recording, ...tables.sinks, ...settled }, onAdvance);
}

/** Where the parts of a run are simulated. */
function hostsOf({ openPartsHost, threads, workers = 1 }: RunScenarioOptions, { length: count }: readonly WorldPart[]) {
  if (openPartsHost !== undefined) return { openHost: openPartsHost, threads: [] };
  return { threads: threads ?? openPartsThreads(Math.min(workers, count) - 1) };
}

/** The recorders of the run: rows of tables, and the content of the page. */
function recordingOf(scenario: Scenario, { out, engine, timezone = scenario.timezone }: RunScenarioOptions) {
  const { report, sessionOpenedMs, world } = scenario;
  const writesPage = out !== undefined && hasPage(scenario);
  return {
    intervalMs: report.intervalMs,
    ...(sessionOpenedMs === null ? {} : { sessionOpenedMs }),
    ...(report.powerIntervalMs === null ? {} : { powerIntervalMs: report.powerIntervalMs }),
    timelines: writesPage,
    midnightMs: midnightBefore(world.startMs, timezone),
    chronology: writesPage,
    ...(engine === undefined ? {} : { stepEngine: engine }),
  };
}

async function runWhole(
  world: WorldSpec,
  options: RunOptions,
  onAdvance: (done: number) => Promise<void>,
): Promise<{ readonly record: RunRecord; readonly eventCount: number }> {
  const run = new SimulationRun(world, { ...options, ...(await createRequestHandler(world)) });
  for (let slice = 1; slice <= SLICES; slice++) {
    run.advanceToShare(slice / SLICES);
    await onAdvance(slice / SLICES);
  }
  return { record: run.finish(), eventCount: run.eventCount };
}

/** How the parts of a run hand over their rows. */
function rowFormats(scenario: Scenario): RowFormats {
  const { formats } = scenario.report;
  const hasCells = formats.includes("parquet") || formats.includes("xlsx");
  return { texts: textFormats(formats), layout: tableLayout(scenario), hasCells };
}

/** Tables that are written during a run, with the names of their files. */
function bulkTables({ world, report }: Scenario): readonly (readonly [table: BulkTable, stem: string])[] {
  const hasComponents = world.sites.some(({ components }) => components.length > 1);
  const tables: (readonly [BulkTable, string])[] = [
    ...(hasComponents ? [["components", "components"] as const] : []),
    ["energy", "energy"],
    ["vppEnergy", "vpp_energy"],
    ...(report.powerIntervalMs === null ? [] : [["power", "power"] as const]),
    ["dispatch", "dispatch"],
    ["events", "events"],
  ];
  return tables.filter(([, stem]) => !report.omit.includes(stem));
}

/** Of the tables that are written during a run, those that its report has. */
type Bulk<Table> = { readonly [Name in BulkTable]?: Table };

/** The tables of a report, open from the start of the run to its end. */
class ReportTables {
  private readonly scenario: Scenario;
  /** `null` where nothing is written. */
  private readonly store: TableStore | null;
  /** Of a run that is one part. */
  readonly sinks: Bulk<BlockSink>;
  /** Of a run in parts, which encode their rows. */
  readonly encoded: Bulk<EncodedTable>;

  private constructor(
    scenario: Scenario,
    store: TableStore | null,
    bulk: { readonly sinks?: Bulk<BlockSink>; readonly encoded?: Bulk<EncodedTable> },
  ) {
    this.scenario = scenario;
    this.store = store;
    this.sinks = bulk.sinks ?? {};
    this.encoded = bulk.encoded ?? {};
  }

  /** @param parts  of the run */
  static async open(scenario: Scenario, sink: ReportSink | null, parts: readonly WorldPart[]): Promise<ReportTables> {
    const { formats } = scenario.report;
    if (sink === null || formats.every((format) => format === "html")) return new ReportTables(scenario, null, {});
    const openAll = <Table>(open: (stem: string) => Table): Bulk<Table> =>
      Object.fromEntries(bulkTables(scenario).map(([table, stem]) => [table, open(stem)]));
    const layout = tableLayout(scenario);
    if (parts.length > 1) {
      const store = await openLocalTables(sink, formats, layout);
      return new ReportTables(scenario, store, { encoded: openAll((stem) => store.openEncoded(stem)) });
    }
    const store = await openTableStore(sink, formats, rowCountOf(scenario), layout);
    return new ReportTables(scenario, store, { sinks: openAll((stem) => store.open(stem)) });
  }

  private table(stem: string): BlockSink | undefined {
    return this.scenario.report.omit.includes(stem) ? undefined : this.store?.open(stem);
  }

  private writeRows<Row>(stem: string, rows: readonly Row[], blockOf: (rows: readonly Row[]) => TableBlock): void {
    const table = this.table(stem);
    if (table !== undefined) for (const slice of rowSlices(rows)) table.write(blockOf(slice));
  }

  /** Waits if rows are produced faster than they are written. @throws TableWriteError */
  async settle(): Promise<void> {
    await this.store?.settle();
  }

  /** Writes the tables of the record and of the settlement. */
  writeResults(record: RunRecord, settlement: Settlement | null, alarms: readonly AlarmRow[] | null): void {
    const currency = currencyOf(record);
    if (this.scenario.report.formats.includes("xlsx"))
      this.store?.open(SUMMARY_SHEET, "sheet").write(summaryBlock(record.kpis, currency));
    if (alarms !== null) this.table("alarms")?.write(alarmsBlock(alarms));
    this.writeRows("awards", record.awards, (rows) => inCurrency(awardsBlock(rows), currency));
    if (this.scenario.bids.length > 0) this.table("bids")?.write(inCurrency(bidsBlock(this.scenario.bids), currency));
    this.writeRows("sites", siteTableRows(record), (rows) => inCurrency(sitesBlock(rows), currency));
    for (const table of record.componentTables) this.table(table.layout.stem)?.write(kindTableBlock(table));
    const { settlement: spec } = this.scenario;
    if (spec !== null && settlement !== null)
      for (const { stem, block } of settlementTables(settlement, spec.currency, spec.area))
        this.table(stem)?.write(block);
  }

  /** @throws TableWriteError */
  async close(): Promise<ClosedTables> {
    return (await this.store?.close()) ?? { digests: [], notes: [] };
  }

  async abort(): Promise<void> {
    await this.store?.abort();
  }
}

/** Rows of energy and power of all sites. */
function rowCountOf({ world, report }: Scenario): number {
  const { startMs, endMs, sites } = world;
  const { intervalMs, powerIntervalMs } = report;
  const rates = 1 / intervalMs + (powerIntervalMs === null ? 0 : 1 / powerIntervalMs);
  return sites.length * (endMs - startMs) * rates;
}

const hasPage = ({ report }: Scenario): boolean => report.formats.includes("html") && !report.omit.includes("report");

interface RunResults {
  readonly record: RunRecord;
  /** `null` where the scenario has no settlement. */
  readonly settlement: Settlement | null;
  readonly slots: SettledSlots | null;
  /** `null`: the run is of no session. */
  readonly alarms: readonly AlarmRow[] | null;
}

/** Without a staging folder nothing. Writes summary.json, scenario.json, the slots of a settlement, report.html and settlement.html. */
async function writeDocuments(
  scenario: Scenario,
  { record, settlement, slots, alarms }: RunResults,
  page: { readonly staging: StagingFiles | null; readonly timezone: string; readonly language: Language },
): Promise<FileDigests> {
  const { staging } = page;
  if (staging === null) return [];
  const { name, description, timezone, hash, world } = scenario;
  const { seed, startMs, endMs } = world;
  const summary = {
    scenario: { name, description, timezone, ...languageJson(scenario), hash, version: VERSION },
    seed,
    period: { start: isoUtc(startMs), end: isoUtc(endMs) },
    kpis: kpiJson(record.kpis, currencyOf(record)),
    warnings: record.warnings,
    ...sessionJson(record),
    ...bidSummary(scenario),
    ...settlementSummary(scenario, record, settlement),
  };
  const digests = [writeText(staging, "summary.json", `${JSON.stringify(summary, null, 2)}\n`)];
  if (scenario.settlement !== null && slots !== null)
    digests.push(writeText(staging, SLOTS_FILE, slotsText(slots, scenario.settlement)));
  if (!hasPage(scenario)) return digests;
  const { awardNamesOf, withAwardNames, withNamedLines } = await import("./html/page/namedAwards.ts");
  const { renderReportHtml } = await import("./html/page/reportPage.ts");
  const { renderSettlementHtml, SETTLEMENT_PAGE } = await import("./html/page/settlementPage.ts");
  const names = awardNamesOf(scenario, record.awards);
  const content: ReportPage = {
    scenario: { name, description, timezone: page.timezone, language: page.language, hash, seed, startMs, endMs },
    record: withAwardNames(record, names),
    energyPrice: world.energyPriceJpyPerKwh,
    never: neverFacts(scenario),
    bids: scenario.bids,
    alarms,
    settled: settledRun(scenario, record, settlement === null ? null : withNamedLines(settlement, names)),
    version: VERSION,
  };
  digests.push(writeText(staging, "report.html", renderReportHtml(content)));
  const { settled } = content;
  if (settled !== null) {
    const settlementHtml = renderSettlementHtml({ ...content, settled, awards: content.record.awards });
    digests.push(writeText(staging, SETTLEMENT_PAGE, settlementHtml));
  }
  return digests;
}

/** The key `language`: of the texts about the report, unless it is English. */
const languageJson = ({ language }: Scenario): object => (language === "en" ? {} : { language });

/** The key `bids` of summary.json: slots of bids, and the payments for accepted ones. */
function bidSummary({ bids, world }: Scenario): object {
  if (bids.length === 0) return {};
  const { slots, taken, amountJpy, marginJpy } = bidTotals(bids);
  const nameOf = (name: string): string => moneyName(name, currencyOf(world));
  const amounts = { [nameOf("amount_jpy")]: roundTo(amountJpy, 3), [nameOf("margin_jpy")]: roundTo(marginJpy, 3) };
  return { bids: { slots, taken, ...amounts } };
}

/** The key `reconciliation` of summary.json: the lines with their sums (docs/model/settlement.md#reconciliation). */
function reconciliationJson(found: Reconciliation | null): object {
  if (found === null) return {};
  const { lines, ledger, settled, difference, isCustomersJoined, wear, degradation } = found;
  const memo = { wear, degradation };
  return { reconciliation: { lines, ledger, settled, difference, customers_joined: isCustomersJoined, memo } };
}

/** The key `settlement` of summary.json: the parameter set with its marks, and the items of all invoices. */
function settlementSummary(scenario: Scenario, record: RunRecord, settlement: Settlement | null): object {
  const run = settledRun(scenario, record, settlement);
  if (run === null) return {};
  const { parameterSet, area, currency, unsure } = run;
  const items = itemTotals(run.settlement).map(({ item, amount }) => [item, roundTo(amount, 3)]);
  return {
    settlement: { parameters: parameterSet, area, currency, unsure, items: Object.fromEntries(items) },
    ...reconciliationJson(run.reconciliation),
  };
}

const settledRun = (
  { settlement: spec }: Scenario,
  { kpis }: RunRecord,
  settlement: Settlement | null,
): SettledRun | null => (spec === null || settlement === null ? null : settledRunOf(spec, settlement, kpis));

interface RunStatistics {
  readonly scenario: Scenario;
  /** Zone and language of the pages, where they were given. */
  readonly options: Pick<RunScenarioOptions, "timezone" | "language">;
  readonly eventCount: number;
  readonly wallSeconds: number;
}

/** The key `options` of run.json, by which the run can be repeated; absent without flags. */
const optionsJson = (options: object): object =>
  Object.values(options).every((value) => value === undefined) ? {} : { options };

/** Writes run.json: figures that may differ between equal runs, and digests of the files that may not. */
function writeRunStatistics(
  staging: StagingFiles,
  digests: FileDigests,
  { scenario, options: { timezone, language }, eventCount, wallSeconds }: RunStatistics,
): void {
  const statistics = {
    wall_seconds: roundTo(wallSeconds, 3),
    events: eventCount,
    events_per_second: Math.round(eventCount / Math.max(wallSeconds, 1e-3)),
    inputs: inputDigests(scenario),
    ...optionsJson({ ...scenario.overrides, timezone, language }),
    remarks: remarksJson(scenario.remarks),
  };
  writeRunJson(staging, statistics, digests);
}

// not simulated: the duration of the run is written to run.json alone.
const wallMs = () => performance.now();

const SETTINGS_FILE = "scenario.json";

/** Parts of scenario.json (docs/model/report-files.md#scenario): that of many sites is larger than their run. */
function* settingsParts(scenario: Scenario): Generator<string> {
  yield `{\n  "hash": ${JSON.stringify(scenario.hash)},\n  "settings": {`;
  let separator = "\n";
  let known: SettingLeaves = [];
  let ends: readonly string[] = [];
  for (const { path, leaves } of scenario.settings()) {
    if (leaves.length === 0) continue;
    if (leaves !== known)
      ends = leaves.map(([end, value]) => `${JSON.stringify(end).slice(1)}: ${JSON.stringify(value)}`);
    known = leaves;
    const start = `    ${JSON.stringify(path).slice(0, -1)}`;
    yield `${separator}${start}${ends.join(`,\n${start}`)}`;
    separator = ",\n";
  }
  yield "\n  }\n}\n";
}
