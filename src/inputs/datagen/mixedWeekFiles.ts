import type { Sku } from "../../base/sku.ts";
import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../base/time.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { rowsCsv } from "./csvText.ts";
import type { GeneratedFiles } from "./disk/writeFiles.ts";
import { type CalendarTime, calendarTimeAt, JST_OFFSET_MS, sampleCount } from "./timeGrid.ts";

const SEED = 57;
/** 2026-04-01T00:00+09:00, a Wednesday: the week of data/. */
const START_MS = Date.UTC(2026, 2, 31, 15);
const DAYS = 7;

/** One product that a VPP sells in the same half hours of every day that it is sold on. */
interface ProductBlock {
  readonly vpp: string;
  readonly sku: Sku;
  /** Local hours, from <= hour < to. */
  readonly from: number;
  readonly to: number;
  readonly days: "all" | "weekdays" | "weekend";
  readonly deltaKw?: number;
  readonly fcrResponseKw?: number;
  /** Half-width of the even spread around the kW, as a share of them. */
  readonly spread: number;
  /** Before the block's start. */
  readonly registeredHoursBefore: number;
  readonly activation?: string;
  readonly priceJpyPerKwH?: number;
  readonly priceJpyPerKwh?: string;
  readonly penaltyJpyPerKwh?: number;
}

const RESERVE = { spread: 0.15, registeredHoursBefore: 12 } as const;
const ENERGY = { spread: 0.2, registeredHoursBefore: 14, priceJpyPerKwh: "prices.spot_jpy_per_kwh" } as const;

/**
 * The products of the week: reserves around the clock, storage charged at noon and sold in the evening, load reduced on
 * workdays.
 */
const BLOCKS: readonly ProductBlock[] = [
  { ...RESERVE, vpp: "plants", sku: "fcr", from: 0, to: 24, days: "all", fcrResponseKw: 900, priceJpyPerKwH: 2.6 },
  {
    ...RESERVE,
    vpp: "plants",
    sku: "frr",
    from: 6,
    to: 9,
    days: "all",
    deltaKw: -1200,
    activation: "called.called",
    priceJpyPerKwH: 3.8,
    penaltyJpyPerKwh: 45,
  },
  { ...ENERGY, vpp: "plants", sku: "exchange-da", from: 10, to: 14, days: "all", deltaKw: 3200 },
  {
    ...RESERVE,
    vpp: "plants",
    sku: "rr-fit",
    from: 11,
    to: 13,
    days: "all",
    deltaKw: -500,
    priceJpyPerKwH: 1.9,
    penaltyJpyPerKwh: 45,
  },
  { ...ENERGY, vpp: "plants", sku: "exchange-da", from: 16.5, to: 19.5, days: "all", deltaKw: -2000 },
  {
    ...RESERVE,
    vpp: "plants",
    sku: "rr",
    from: 17,
    to: 19,
    days: "weekdays",
    deltaKw: -600,
    priceJpyPerKwH: 3.1,
    penaltyJpyPerKwh: 45,
  },
  {
    ...RESERVE,
    vpp: "plants",
    sku: "compound",
    from: 21,
    to: 23,
    days: "all",
    deltaKw: -700,
    fcrResponseKw: 300,
    priceJpyPerKwH: 4.4,
    penaltyJpyPerKwh: 45,
  },
  // One hour ahead, part of the energy that solar surplus has already charged at the weekend is bought back.
  {
    ...ENERGY,
    vpp: "plants",
    sku: "exchange-ttv",
    from: 12,
    to: 13.5,
    days: "weekend",
    deltaKw: 900,
    registeredHoursBefore: 1,
  },
  {
    ...ENERGY,
    vpp: "demand",
    sku: "negawatt-spot",
    from: 17,
    to: 19,
    days: "weekdays",
    deltaKw: -420,
    registeredHoursBefore: 20,
  },
  {
    ...RESERVE,
    vpp: "demand",
    sku: "rr",
    from: 13,
    to: 14,
    days: "weekdays",
    deltaKw: -300,
    priceJpyPerKwH: 3.4,
    penaltyJpyPerKwh: 45,
  },
];

/** awards.csv of scenarios/mixed-week; its scenario.yaml is written by hand, its series are those of data/. */
export function mixedWeekFiles(): GeneratedFiles {
  const random = new RandomStreams(SEED);
  const grid = {
    startMs: START_MS,
    endMs: START_MS + DAYS * MS_PER_DAY,
    stepMs: MS_PER_HALF_HOUR,
    utcOffsetMs: JST_OFFSET_MS,
  };
  const halfHours = Array.from({ length: sampleCount(grid) }, (_, k) =>
    calendarTimeAt(START_MS + k * grid.stepMs, JST_OFFSET_MS),
  );
  const rows = BLOCKS.flatMap((block) => {
    const sizes = random.getStream("size", `${block.vpp} ${block.sku} ${block.from}`);
    return halfHours
      .filter((moment) => isSold(block, moment))
      .map(({ atMs }) => awardRow(block, atMs, sizes.nextUniform()));
  });
  return new Map([["awards.csv", rowsCsv(COLUMNS, rows)]]);
}

const isSold = ({ from, to, days }: ProductBlock, { localHour, isWeekend }: CalendarTime): boolean =>
  from <= localHour && localHour < to && (days === "all" || (days === "weekend") === isWeekend);

const COLUMNS = [
  "award_id",
  "vpp",
  "sku",
  "start",
  "end",
  "delta_kw",
  "fcr_response_kw",
  "registered_at",
  "activation",
  "price_jpy_per_kw_h",
  "price_jpy_per_kwh",
  "penalty_jpy_per_kwh",
];

/** @param unit 0..1, where in its spread the award lies */
function awardRow(block: ProductBlock, startMs: EpochMs, unit: number): string[] {
  const factor = 1 + block.spread * (2 * unit - 1);
  const kw = (of: number | undefined) => (of === undefined ? "" : (of * factor).toFixed(1));
  const text = (value: number | string | undefined) => (value === undefined ? "" : String(value));
  const registeredMs = Math.max(START_MS, startMs - block.registeredHoursBefore * MS_PER_HOUR);
  // 04-03T17:30, in local time: readable, and short in a command line.
  const localStart = isoUtc(startMs + JST_OFFSET_MS).slice(5, 16);
  return [
    `${block.vpp}:${block.sku}:${localStart}`,
    block.vpp,
    block.sku,
    isoUtc(startMs),
    isoUtc(startMs + MS_PER_HALF_HOUR),
    kw(block.deltaKw),
    kw(block.fcrResponseKw),
    isoUtc(registeredMs),
    text(block.activation),
    text(block.priceJpyPerKwH),
    text(block.priceJpyPerKwh),
    text(block.penaltyJpyPerKwh),
  ];
}
