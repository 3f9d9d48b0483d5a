// Hand-made runs for the pages: small enough to check by eye, and a year to measure by.

import type { KpiValue } from "../../../src/accounting/kpis/kpi.ts";
import { createKpis, type KpiName, type Kpis } from "../../../src/accounting/kpis/kpiRegistry.ts";
import { NO_AWARD_MONEY } from "../../../src/accounting/ledger/moneyRows.ts";
import { binsOf, envelope, equalBins, unitOfBin } from "../../../src/accounting/recorders/envelope.ts";
import type { MissingArea } from "../../../src/accounting/recorders/missingAreas.ts";
import { type Polyline, PolylineRecorder } from "../../../src/accounting/recorders/polyline.ts";
import { EnergySummer } from "../../../src/accounting/recorders/powerSums.ts";
import type { OutageSpan, RunEvent, RunRecord, SocTimeline, VppTimeline } from "../../../src/accounting/runRecord.ts";
import type { AwardRow, FcrFigures } from "../../../src/accounting/settlement/awardRows.ts";
import { CAUSES, type Cause } from "../../../src/accounting/settlement/causes.ts";
import type { ComponentRow, SiteRow } from "../../../src/accounting/siteRow.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../src/base/time.ts";
import type { ReportPage } from "../../../src/report/html/page/reportPage.ts";

/** 2026-04-01 00:00 in Tokyo. */
export const START_MS = Date.parse("2026-03-31T15:00:00Z");

export const amountsByCause = (amounts: Partial<Record<Cause, number>>): Float64Array =>
  Float64Array.from(CAUSES, (cause) => amounts[cause] ?? 0);

export function awardRow(changes: Partial<AwardRow>): AwardRow {
  return {
    awardId: "A-1",
    kind: "award",
    vpp: "kanto",
    sku: "rr",
    startMs: START_MS + 9 * MS_PER_HOUR,
    endMs: START_MS + 12 * MS_PER_HOUR,
    requestedKw: -1500,
    isFcr: false,
    fcr: null,
    uncoveredKw: 0,
    uncoveredKwPeak: 0,
    uncoveredPeakMs: null,
    requestedKwh: -4500,
    deliveredKwh: -4500,
    shortfallKwh: 0,
    excessKwh: 0,
    compliancePct: 100,
    deliveredSharePct: 100,
    executedMinutes: 180,
    state: "completed",
    overwrittenBy: null,
    errorType: null,
    shortfallByCauseKwh: amountsByCause({}),
    uncoveredByCauseKw: amountsByCause({}),
    topContributors: [],
    deliveredWithinKwh: 4500,
    ...NO_AWARD_MONEY,
    ...changes,
  };
}

/** What became of a width over 3 h: 10 kWh up and 20 kWh down are 10 kW on average. */
export const fcrFigures = (responseKw: number, changes: Partial<FcrFigures> = {}): FcrFigures => ({
  responseKw,
  uncoveredKw: 0,
  activatedUpKwh: 10,
  activatedDownKwh: 20,
  minutesAtBound: 7.5,
  meanResponseKw: 10,
  uncoveredByCauseKw: amountsByCause({}),
  ...changes,
});

export function siteRow(changes: Partial<SiteRow>): SiteRow {
  return {
    site: "bat-01",
    resourceType: "battery",
    vpp: "kanto",
    importKwh: 1000,
    exportKwh: 800,
    throughputKwh: 1800,
    equivalentFullCycles: 0.75,
    socMinPct: 12,
    socMeanPct: 48,
    socMaxPct: 90,
    socFinalPct: 50,
    minutesAtSocMin: 0,
    minutesAtSocMax: 0,
    cyclesByDepth: Float64Array.of(2, 0, 0.5, 0, 0),
    availabilityPct: 100,
    plannedOutagePct: 0,
    curtailedKwh: null,
    fitCurtailedKwh: null,
    nonFirmCurtailedKwh: null,
    manualCurtailedKwh: null,
    components: null,
    drDeliveredKwh: null,
    money: null,
    ...changes,
  };
}

const OTHER_KIND = {
  throughputKwh: null,
  equivalentFullCycles: null,
  socMinPct: null,
  socMeanPct: null,
  socMaxPct: null,
  socFinalPct: null,
  minutesAtSocMin: null,
  minutesAtSocMax: null,
  cyclesByDepth: null,
};

export function reportPageOf(record: RunRecord, scenario: Partial<ReportPage["scenario"]> = {}): ReportPage {
  return {
    scenario: {
      name: "spring-day",
      description: "Six sites around Tokyo sell reserve and peak power on one spring day.",
      timezone: "Asia/Tokyo",
      language: "en",
      hash: "4f1d".repeat(16),
      seed: 42,
      startMs: record.startMs,
      endMs: record.endMs,
      ...scenario,
    },
    record,
    energyPrice: null,
    never: { isPlanWithoutAwards: false, isCalledInFull: false },
    bids: [],
    alarms: null,
    settled: null,
    version: "0.1.0",
  };
}

/** Every key figure of a run; `null` where none is given. */
export const runKpis = (values: Partial<Record<KpiName, KpiValue>>): Kpis => createKpis((name) => values[name] ?? null);

export const emptyRecord = (): RunRecord => ({
  startMs: START_MS,
  endMs: START_MS + MS_PER_DAY,
  bins: binsOf({ startMs: START_MS, endMs: START_MS + MS_PER_DAY }, START_MS),
  kpis: runKpis({}),
  session: null,
  awards: [],
  sites: [],
  siteless: null,
  trade: null,
  timelines: [],
  traded: null,
  soc: { batteries: [] },
  siteCurves: [],
  outages: [],
  events: [],
  siteShortfalls: [],
  outputControls: [],
  reductions: [],
  componentTables: [],
  warnings: [],
});

/** Steps at equal intervals, as a polyline with jumps. */
function stepsOf(atMs: Float64Array, value: (k: number) => number): Polyline {
  const stepMs = atMs[1] - atMs[0];
  const recorder = new PolylineRecorder(atMs[0], 2000);
  atMs.forEach((at, k) => {
    recorder.add(at, value(k));
    recorder.add(at + stepMs, value(k));
  });
  return recorder.finish();
}

/** Curves, envelope and energy of steps. */
function drawnPower(
  binStartMs: Float64Array,
  period: { startMs: number; endMs: number },
  requested: (k: number) => number,
  delivered: (k: number) => number,
): Pick<VppTimeline, "requestedKw" | "deliveredKw" | "delivered" | "energy"> {
  const deliveredKw = stepsOf(binStartMs, delivered);
  const bins = binsOf(period, START_MS);
  const summer = new EnergySummer(equalBins(period, unitOfBin(bins.binMs), START_MS));
  const stepMs = binStartMs[1] - binStartMs[0];
  const gaps = amountsByCause({ weather: 2, ramp: 1 });
  binStartMs.forEach((fromMs, k) => {
    const [requestedKw, kw] = [requested(k), delivered(k)];
    const shortfallKwh = (Math.max(0, Math.sign(requestedKw) * (requestedKw - kw)) * stepMs) / MS_PER_HOUR;
    const piece = {
      fromMs,
      toMs: fromMs + stepMs,
      requestedKw,
      fromKw: kw,
      toKw: kw,
      uncoveredKw: 0,
      penaltyPerKwh: 0,
      shortfallKwh,
    };
    summer.add({ ...piece, pieceHours: stepMs / MS_PER_HOUR }, gaps, 3);
  });
  return {
    requestedKw: stepsOf(binStartMs, requested),
    deliveredKw,
    delivered: envelope(deliveredKw, bins),
    energy: summer.finish(),
  };
}

/** Requested and delivered power in five-minute steps, from pieces `[first hour, last hour, asked kW, share delivered]`. */
function timeline(vpp: string, pieces: readonly (readonly [number, number, number, number])[]): VppTimeline {
  const bins = 288;
  const period = { startMs: START_MS, endMs: START_MS + MS_PER_DAY };
  const binStartMs = Float64Array.from({ length: bins }, (_, k) => START_MS + k * 5 * MS_PER_MINUTE);
  const at = (k: number, share: boolean): number => {
    const piece = pieces.find(([from, to]) => from <= k / 12 && k / 12 < to);
    return piece === undefined ? 0 : piece[2] * (share ? piece[3] * (1 - 0.04 * Math.sin(k / 3) ** 2) : 1);
  };
  return {
    vpp,
    ...drawnPower(
      binStartMs,
      period,
      (k) => at(k, false),
      (k) => at(k, true),
    ),
    missing: pieces
      .filter(([, , kw]) => kw === -1500)
      .map(([from, to]) => ({
        cause: "out_of_service",
        startMs: START_MS + from * MS_PER_HOUR,
        endMs: START_MS + to * MS_PER_HOUR,
        fromKw: [-1500, -1500],
        toKw: [-1380, -1380],
      })),
  };
}

const dayAwards = (): AwardRow[] => [
  awardRow({
    awardId: "A-1",
    sku: "frr",
    startMs: START_MS + 2 * MS_PER_HOUR,
    endMs: START_MS + 5 * MS_PER_HOUR,
    requestedKw: 600,
    requestedKwh: 1800,
    deliveredKwh: 1782.5,
    shortfallKwh: 17.5,
    compliancePct: 97.1,
    shortfallByCauseKwh: amountsByCause({ ramp: 17.5 }),
    topContributors: [{ site: "bat-02", cause: "ramp", kwh: 17.5 }],
  }),
  awardRow({
    awardId: "A-2",
    deliveredKwh: -4087.7,
    shortfallKwh: 412.3,
    uncoveredKw: -120,
    uncoveredKwPeak: -640,
    uncoveredPeakMs: START_MS + 9.5 * MS_PER_HOUR,
    compliancePct: 71.3,
    shortfallByCauseKwh: amountsByCause({ out_of_service: 301, weather: 80.3, energy_limit: 31 }),
    uncoveredByCauseKw: amountsByCause({ out_of_service: 100, power_limit: 20 }),
    topContributors: [
      { site: "bat-03", cause: "out_of_service", kwh: 301 },
      { site: "pv-01", cause: "weather", kwh: 80.3 },
      { site: "bat-01", cause: "energy_limit", kwh: 31 },
    ],
  }),
  awardRow({
    awardId: "A-3",
    sku: "fcr",
    isFcr: true,
    fcr: fcrFigures(800, { uncoveredKw: 80, uncoveredByCauseKw: amountsByCause({ power_limit: 80 }) }),
    startMs: START_MS + 12 * MS_PER_HOUR,
    endMs: START_MS + 15 * MS_PER_HOUR,
    requestedKw: 800,
    uncoveredKw: 80,
    requestedKwh: null,
    deliveredKwh: null,
    shortfallKwh: null,
    excessKwh: null,
    compliancePct: null,
    uncoveredByCauseKw: amountsByCause({ power_limit: 80 }),
  }),
  awardRow({
    awardId: "A-4",
    startMs: START_MS + 17 * MS_PER_HOUR,
    endMs: START_MS + 20 * MS_PER_HOUR,
    requestedKw: -900,
    requestedKwh: -2700,
    deliveredKwh: -2381.4,
    shortfallKwh: 318.6,
    compliancePct: 80.2,
    shortfallByCauseKwh: amountsByCause({ energy_limit: 240.1, load_deviation: 60.5, delivery_failed: 18 }),
    topContributors: [
      { site: "bat-01", cause: "energy_limit", kwh: 240.1 },
      { site: "factory-01", cause: "load_deviation", kwh: 60.5 },
    ],
  }),
  awardRow({
    awardId: "A-5",
    vpp: "chubu",
    sku: "negawatt-spot",
    startMs: START_MS + 18 * MS_PER_HOUR,
    endMs: START_MS + 20 * MS_PER_HOUR,
    requestedKw: -300,
    requestedKwh: -600,
    deliveredKwh: -612.4,
    excessKwh: 12.4,
    executedMinutes: 120,
  }),
  awardRow({
    awardId: "A-6",
    vpp: "chubu",
    sku: "fcr",
    isFcr: true,
    fcr: fcrFigures(200, { uncoveredKw: null, activatedUpKwh: null, activatedDownKwh: null, meanResponseKw: null }),
    startMs: START_MS + 21 * MS_PER_HOUR,
    endMs: START_MS + 24 * MS_PER_HOUR,
    requestedKw: 200,
    state: "refused",
    errorType: "no_dispatchable_members",
    uncoveredKw: null,
    requestedKwh: null,
    deliveredKwh: null,
    shortfallKwh: null,
    excessKwh: null,
    compliancePct: null,
    executedMinutes: 0,
  }),
  awardRow({
    awardId: "I-1",
    kind: "instruction",
    sku: null,
    startMs: START_MS + 22 * MS_PER_HOUR,
    endMs: START_MS + 23 * MS_PER_HOUR,
    requestedKw: 250,
    requestedKwh: 125,
    deliveredKwh: 125,
    executedMinutes: 30,
    state: "overwritten",
    overwrittenBy: "A-7",
  }),
];

const NO_PATHS = { fromGeneratorKwh: 0, fromGridKwh: 0, toLoadKwh: 0, toBatteryKwh: 0, toGridKwh: 0 };

/** 2,804.7 kWh from the grid and 96.3 kWh to it. */
const CAMPUS: readonly ComponentRow[] = [
  { ...NO_PATHS, componentId: "roof", kind: "generator", toLoadKwh: 512.25, toBatteryKwh: 140.5, toGridKwh: 66.2 },
  {
    componentId: "bat",
    kind: "battery",
    fromGeneratorKwh: 140.5,
    fromGridKwh: 304.7,
    toLoadKwh: 350,
    toBatteryKwh: 0,
    toGridKwh: 30.1,
  },
  { ...NO_PATHS, componentId: "office", kind: "consumer", fromGridKwh: 2500 },
];

const daySites = (): SiteRow[] => [
  siteRow({ minutesAtSocMin: 34, socMinPct: 10 }),
  siteRow({ site: "bat-02", importKwh: 1640.2, exportKwh: 1422.8 }),
  siteRow({ site: "bat-03", importKwh: 622.1, exportKwh: 540.9, availabilityPct: 84.4 }),
  siteRow({
    site: "pv-01",
    resourceType: "generator",
    ...OTHER_KIND,
    importKwh: 0,
    exportKwh: 3120.4,
    curtailedKwh: 210.5,
    fitCurtailedKwh: 0,
    nonFirmCurtailedKwh: 190.5,
    manualCurtailedKwh: 20,
  }),
  siteRow({
    site: "factory-01",
    resourceType: "consumer",
    vpp: "chubu",
    ...OTHER_KIND,
    importKwh: 5210,
    exportKwh: 0,
    drDeliveredKwh: 612.4,
  }),
  siteRow({
    site: "campus-01",
    resourceType: "multi_component",
    vpp: "chubu",
    importKwh: 2804.7,
    exportKwh: 96.3,
    plannedOutagePct: 8.3,
    components: CAMPUS,
  }),
];

/** Commands, faults, notices and device limits around A-2, in the order in which they occurred. */
function dayEvents(): RunEvent[] {
  const at = (hour: number, minute: number) => START_MS + hour * MS_PER_HOUR + minute * MS_PER_MINUTE;
  const rows: [EpochMs, string, string, string][] = [
    [at(8, 0), "schedule_created", "A-2", "schedule"],
    [at(9, 0), "started", "A-2", "-120 kW uncovered"],
    [at(10, 30), "outage_start", "bat-03", "stochastic"],
    [at(10, 31), "noticed", "bat-03", "out of service, A-2"],
    [at(10, 31), "redispatch", "A-2", "-231.3 kW uncovered"],
    [at(11, 10), "soc_bound", "bat-01", "empty"],
    [at(12, 0), "ended", "A-2", ""],
    [at(17, 0), "started", "A-4", "0 kW uncovered"],
    [at(18, 0), "dr_event", "factory-01", "begins, 300 kW"],
    [at(21, 0), "refusal", "A-6", "no_dispatchable_members"],
  ];
  return rows.map(([atMs, kind, subject, detail]) => ({ atMs, kind, subject, detail }));
}

function socTimeline(
  batteries: readonly { site: string; atMs: Float64Array; values: Float64Array }[],
  period: { startMs: number; endMs: number },
): SocTimeline {
  const hours = equalBins(period, MS_PER_HOUR, START_MS);
  return {
    batteries: batteries.map(({ site, atMs, values }) => {
      const socPct = { atMs, values, thinnedMs: 0 };
      return {
        site,
        componentId: "bat",
        socPct,
        envelope: envelope(socPct, binsOf(period, START_MS)),
        hours: batteries.length <= 12 ? envelope(socPct, hours) : null,
      };
    }),
  };
}

const NO_POINTS: Polyline = { atMs: new Float64Array(0), values: new Float64Array(0), thinnedMs: 0 };

/** One day of six sites in two power plants. */
export function dayRecord(): RunRecord {
  const atMs = Float64Array.from({ length: 289 }, (_, k) => START_MS + k * 5 * MS_PER_MINUTE);
  const socOf = (offset: number) =>
    atMs.map((_, k) => Math.min(95, Math.max(10, 50 + 46 * Math.sin(k / 46 + offset) - 0.03 * k)));
  return {
    startMs: START_MS,
    endMs: START_MS + MS_PER_DAY,
    bins: binsOf({ startMs: START_MS, endMs: START_MS + MS_PER_DAY }, START_MS),
    siteless: null,
    trade: null,
    session: null,
    kpis: runKpis({
      uncovered_kw_max: 120,
      uncovered_kw_peak: 640,
      uncovered_kw_peak_at: START_MS + 9.5 * MS_PER_HOUR,
      uncovered_kw_peak_award: "A-2",
      fcr_uncovered_kw_max: 80,
      uncovered_kwh: 360,
      shortfall_kwh: 748.4,
      excess_kwh: 12.4,
      requested_kwh: 9725,
      delivered_kwh: 8989,
      delivery_pct: 92.304,
      compliance_pct: 84.617,
      awards_total: 7,
      awards_fully_covered: 4,
      awards_met: 2,
      awards_refused: 1,
      availability_pct: 97.4,
      planned_outage_pct: 1.383,
      import_kwh: 11277,
      export_kwh: 5980.4,
      curtailed_kwh: 210.5,
      throughput_kwh: 6204,
      equivalent_full_cycles: 0.751,
      soc_min_pct: 10,
      capacity_jpy: 200_000,
      award_energy_jpy: -15_680,
      revenue_jpy: 184_320,
      penalty_jpy: null,
      called_energy_cost_jpy: -25_000,
      own_energy_cost_jpy: 10_000,
      aggregator_margin_jpy: 199_320,
      customer_energy_cost_jpy: 76_200.5,
      energy_cost_jpy: 61_200.5,
      profit_jpy: 123_119.5,
    }),
    awards: dayAwards(),
    sites: daySites(),
    traded: null,
    timelines: [
      timeline("kanto", [
        [2, 5, 600, 0.99],
        [9, 10.5, -1500, 0.98],
        [10.5, 12, -1500, 0.83],
        [17, 20, -900, 0.88],
        [22, 22.5, 250, 1],
      ]),
      timeline("chubu", [[18, 20, -300, 1.03]]),
    ],
    soc: socTimeline(
      ["bat-01", "bat-02", "bat-03", "campus-01"].map((site, k) => ({ site, atMs, values: socOf(k) })),
      { startMs: START_MS, endMs: START_MS + MS_PER_DAY },
    ),
    events: dayEvents(),
    siteShortfalls: [
      { site: "bat-01", byCauseKwh: amountsByCause({ energy_limit: 271.1 }) },
      { site: "bat-02", byCauseKwh: amountsByCause({ ramp: 17.5, delivery_failed: 18 }) },
      { site: "bat-03", byCauseKwh: amountsByCause({ out_of_service: 301 }) },
      { site: "pv-01", byCauseKwh: amountsByCause({ weather: 80.3 }) },
      { site: "factory-01", byCauseKwh: amountsByCause({ load_deviation: 60.5 }) },
    ],
    siteCurves: ["bat-01", "bat-02", "pv-01"].map((site, k) => ({
      site,
      setpointKw: stepsOf(atMs.slice(0, 288), (n) => (n < 36 ? -200 : 0)),
      powerKw: stepsOf(atMs.slice(0, 288), (n) => (n < 36 ? -195.4 - k : 0.25)),
      baselineKw: stepsOf(atMs.slice(0, 288), () => 0),
      socPct: site === "pv-01" ? NO_POINTS : { atMs, values: socOf(k), thinnedMs: 0 },
    })),
    outputControls: [
      { site: "pv-01", startMs: START_MS + 11 * MS_PER_HOUR, endMs: START_MS + 13 * MS_PER_HOUR, limitPct: 40 },
    ],
    outages: [
      { site: "bat-03", startMs: START_MS + 10.25 * MS_PER_HOUR, endMs: START_MS + 14 * MS_PER_HOUR, planned: false },
      { site: "campus-01", startMs: START_MS + MS_PER_HOUR, endMs: START_MS + 3 * MS_PER_HOUR, planned: true },
    ],
    reductions: [
      {
        site: "factory-01",
        startMs: START_MS + 18 * MS_PER_HOUR,
        endMs: START_MS + 20 * MS_PER_HOUR,
        requestedKw: 300,
        baselineKwh: 1040.5,
        actualKwh: 428.1,
        deliveredKwh: 612.4,
        reboundKwh: 122.3,
      },
    ],
    componentTables: [],
    warnings: [
      "site factory-01 has no baseline: delivery is measured against 0",
      "2 events before the start of the run were dropped",
    ],
  };
}

/** A year of half-hour awards over 100 sites: 17,520 awards, 8,760 bins. */
export function yearRecord(): RunRecord {
  const bins = 8760;
  const endMs = START_MS + 365 * MS_PER_DAY;
  const binStartMs = Float64Array.from({ length: bins }, (_, k) => START_MS + k * MS_PER_HOUR);
  const atMs = Float64Array.from({ length: bins + 1 }, (_, k) => START_MS + k * MS_PER_HOUR);
  const awards = Array.from({ length: 17_520 }, (_, k) => {
    const short = k % 5 === 0 ? 4 + ((k * 37) % 400) : 0;
    const causes = amountsByCause({ [CAUSES[k % 14]]: short * 0.7, energy_limit: short * 0.3 });
    return awardRow({
      awardId: `A-${k + 1}`,
      vpp: `vpp-${k % 5}`,
      startMs: START_MS + k * 30 * MS_PER_MINUTE,
      endMs: START_MS + (k + 1) * 30 * MS_PER_MINUTE,
      requestedKw: k % 2 === 0 ? 5000 : -5000,
      requestedKwh: 2500,
      executedMinutes: 30,
      shortfallKwh: short,
      shortfallByCauseKwh: causes,
      topContributors: short === 0 ? [] : [{ site: `site-${k % 100}`, cause: CAUSES[k % 14], kwh: short * 0.7 }],
    });
  });
  return {
    ...dayRecord(),
    endMs,
    bins: binsOf({ startMs: START_MS, endMs }, START_MS),
    awards,
    sites: Array.from({ length: 100 }, (_, k) =>
      siteRow({
        site: `site-${k}`,
        vpp: `vpp-${k % 5}`,
        importKwh: 10_000 + 977 * ((k * 7) % 100),
        exportKwh: 9_000 + 613 * ((k * 3) % 100),
      }),
    ),
    timelines: Array.from({ length: 5 }, (_, v) => ({
      vpp: `vpp-${v}`,
      ...drawnPower(
        binStartMs,
        { startMs: START_MS, endMs },
        (k) => 5000 * Math.sin(k / 5 + v) * (1 + 0.3 * Math.sin(k / 700)),
        (k) => 4700 * Math.sin(k / 5 + v) * (1 + 0.3 * Math.sin(k / 700)),
      ),
      missing: Array.from({ length: 400 }, (_, k): MissingArea => {
        const kw = 4700 * Math.sin((7 * k) / 5 + v);
        const toKw = kw - 300 * Math.sign(kw);
        const startMs = START_MS + 7 * k * MS_PER_HOUR;
        return { cause: "power_limit", startMs, endMs: startMs + MS_PER_HOUR, fromKw: [kw, kw], toKw: [toKw, toKw] };
      }),
    })),
    soc: socTimeline(
      Array.from({ length: 100 }, (_, b) => ({
        site: `site-${b}`,
        atMs,
        values: atMs.map((_, k) => 50 + (20 + b / 4) * Math.sin(k / 7 + b)),
      })),
      { startMs: START_MS, endMs },
    ),
    outages: Array.from(
      { length: 1200 },
      (_, k): OutageSpan => ({
        site: `site-${(k * 7) % 100}`,
        startMs: START_MS + ((k * 7.3) % 364) * MS_PER_DAY,
        endMs: START_MS + ((k * 7.3) % 364) * MS_PER_DAY + (2 + (k % 9)) * MS_PER_HOUR,
        planned: k % 6 === 0,
      }),
    ),
  };
}
