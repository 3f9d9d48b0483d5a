/** A month of made-up files as publishers, spreadsheets and meters write them: what `vppsim init --files` writes, to be imported. */
import { platform } from "#platform";
import { sin } from "../../base/elementary.ts";
import { MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import { meanRevertingNoise } from "../../engine/kernel/meanRevertingNoise.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import type { GeneratedFiles } from "./disk/writeFiles.ts";
import { factoryLoad, noisyLoad } from "./loadShapes.ts";
import { generateWeather } from "./sampleData.ts";
import { spotPriceJpyPerKwh } from "./spotPriceJpyPerKwh.ts";
import { calendarTimeAt, JST_OFFSET_MS, sampleCount, type TimeGrid } from "./timeGrid.ts";

const SEED = 20;
/** 2026-04-01T00:00+09:00, a Wednesday. */
const START_MS = Date.UTC(2026, 2, 31, 15);
const DAYS = 30;
/** The meter goes back further: baselines of days look at the days before. */
const METER_DAYS_BEFORE = 31;

const PLACE = { latitudeDeg: 35.53, longitudeDeg: 139.7 };
const FACTORY = {
  name: "factory",
  noisePct: 3,
  baseKw: 420,
  shiftKw: 1500,
  shiftStartHour: 7,
  shiftEndHour: 21.5,
  weekendFraction: 0.3,
};

const gridOf = (stepMs: number, daysBefore = 0): TimeGrid => ({
  startMs: START_MS - daysBefore * MS_PER_DAY,
  endMs: START_MS + DAYS * MS_PER_DAY,
  stepMs,
  utcOffsetMs: JST_OFFSET_MS,
});

export function rawFiles(): GeneratedFiles {
  const random = new RandomStreams(SEED);
  const asJapaneseExcel = (rows: readonly (readonly (string | number)[])[]): Uint8Array =>
    platform.iconv().encode(rows.map((row) => `${row.join(",")}\r\n`).join(""), "cp932");
  return new Map([
    ["spot_summary_2026.csv", asJapaneseExcel(priceRows(random))],
    ["awards.csv", asJapaneseExcel(awardRows(random))],
    ["meter.csv", asJapaneseExcel(meterRows(random))],
    ["weather.csv", asJapaneseExcel(weatherRows(random))],
  ]);
}

/** Local date and time of an instant, as a Japanese spreadsheet shows them. */
function wallClock(atMs: number): { readonly date: string; readonly time: string } {
  const local = new Date(atMs + JST_OFFSET_MS);
  const date = `${local.getUTCFullYear()}/${local.getUTCMonth() + 1}/${local.getUTCDate()}`;
  return { date, time: `${local.getUTCHours()}:${String(local.getUTCMinutes()).padStart(2, "0")}` };
}

const stamp = (atMs: number): string => `${wallClock(atMs).date} ${wallClock(atMs).time}`;

/** Of the day-ahead market: two areas, whose prices part in the evening. */
function priceRows(random: RandomStreams): (string | number)[][] {
  const grid = gridOf(MS_PER_HALF_HOUR);
  const system = spotPriceJpyPerKwh(grid, "system", random);
  const shape = { stepMs: grid.stepMs, timeConstantMs: 2 * MS_PER_DAY };
  const level = meanRevertingNoise(system.length, shape, random.getStream("price", "level"));
  const rows = [...system].map((price, k) => {
    const atMs = grid.startMs + k * grid.stepMs;
    const { localHour } = calendarTimeAt(atMs, grid.utcOffsetMs);
    const systemPrice = Math.max(0.01, price + 1.6 * level[k]);
    const tokyo = systemPrice + (localHour >= 16 ? 0.9 : 0.2);
    const clearedKwh = 50 * Math.round((16_000_000 + 2_000_000 * sin((localHour - 8) / 4)) / 50);
    const date = wallClock(atMs).date.replace(/\/(\d)(?=\/|$)/g, "/0$1");
    return [
      date,
      Math.round(localHour * 2) + 1,
      clearedKwh,
      ...[systemPrice, tokyo, systemPrice].map((p) => p.toFixed(2)),
    ];
  });
  const areas = ["東京", "関西"].map((area) => `エリアプライス${area}(円/kWh)`);
  return [["受渡日", "時刻コード", "約定総量(kWh)", "システムプライス(円/kWh)", ...areas], ...rows];
}

/** Sessions of a day that a trader sold or bought: local hours, MW (delivery to the grid above 0), prices. */
interface DailyAward {
  readonly name: string;
  readonly product: string;
  readonly fromHour: number;
  readonly toHour: number;
  readonly mw: number;
  readonly isOnWeekends: boolean;
  /** JPY per kW and 30 minutes, per delivered kWh, and per missing kWh; a reserve has them. */
  readonly prices?: readonly [number, number, number];
}

const DAILY: readonly DailyAward[] = [
  { name: "night", product: "exchange-da", fromHour: 2, toHour: 4, mw: -1.2, isOnWeekends: false },
  {
    name: "morning",
    product: "二次調整力②",
    fromHour: 6,
    toHour: 9,
    mw: 1.2,
    isOnWeekends: false,
    prices: [1.9, 18, 45],
  },
  { name: "noon", product: "exchange-da", fromHour: 10, toHour: 14, mw: -2.1, isOnWeekends: true },
  { name: "evening", product: "exchange-da", fromHour: 17, toHour: 20, mw: 2.4, isOnWeekends: true },
  {
    name: "peak",
    product: "二次調整力②",
    fromHour: 17,
    toHour: 20,
    mw: 0.8,
    isOnWeekends: false,
    prices: [2.6, 27, 45],
  },
];

function awardRows(random: RandomStreams): (string | number)[][] {
  const draw = random.getStream("awards", "raw");
  const header = [
    "約定番号",
    "商品区分",
    "開始日時",
    "終了日時",
    "約定量(MW)",
    "ΔkW単価(円/kW・30分)",
    "V1単価(円/kWh)",
    "発動率",
    "違約金(円/kWh)",
  ];
  const rows: (string | number)[][] = [header];
  for (let day = 0; day < DAYS; day++) {
    const startMs = START_MS + day * MS_PER_DAY;
    const { isWeekend } = calendarTimeAt(startMs, JST_OFFSET_MS);
    for (const award of DAILY.filter(({ isOnWeekends }) => isOnWeekends || !isWeekend)) {
      const mw = award.mw * (0.9 + 0.2 * draw.nextUniform());
      const called = 0.1 + 0.8 * draw.nextUniform();
      const priceFactor = 0.8 + 0.4 * draw.nextUniform();
      const { prices } = award;
      const ofReserve =
        prices === undefined
          ? ["", "", "", ""]
          : [(prices[0] * priceFactor).toFixed(2), prices[1], called.toFixed(2), prices[2]];
      rows.push([
        `${String(day + 1).padStart(2, "0")}-${award.name}`,
        award.product,
        stamp(startMs + award.fromHour * MS_PER_HOUR),
        stamp(startMs + award.toHour * MS_PER_HOUR),
        mw.toFixed(2),
        ...ofReserve,
      ]);
    }
  }
  return rows;
}

/** A customer portal: kWh by half hour, a row a day. */
function meterRows(random: RandomStreams): (string | number)[][] {
  const grid = gridOf(MS_PER_HALF_HOUR, METER_DAYS_BEFORE);
  const kw = noisyLoad(grid, FACTORY, factoryLoad(FACTORY), random);
  const slots = Array.from({ length: 48 }, (_, k) => k);
  const clock = (k: number) => `${Math.floor(k / 2)}:${k % 2 === 0 ? "00" : "30"}`;
  const header = ["年月日", ...slots.map((k) => `${clock(k)}～${clock(k + 1)}`)];
  const days = Array.from({ length: sampleCount(grid) / 48 }, (_, day) => [
    wallClock(grid.startMs + day * MS_PER_DAY).date,
    ...slots.map((k) => (kw[48 * day + k] / 2).toFixed(1)),
  ]);
  return [["単位", "kWh"], header, ...days];
}

/** Hourly observations, at the ends of the hours: radiation of the hour, temperature and wind at its end; 8: good quality. */
function weatherRows(random: RandomStreams): (string | number)[][] {
  const grid = gridOf(10 * MS_PER_MINUTE);
  const weather = generateWeather(grid, PLACE, "raw", random);
  const [ghi, temperature, wind] = [...weather.values()];
  const perHour = MS_PER_HOUR / grid.stepMs;
  const rows = Array.from({ length: ghi.length / perHour }, (_, hour) => {
    const [from, end] = [hour * perHour, Math.min((hour + 1) * perHour, ghi.length - 1)];
    const meanWm2 = ghi.subarray(from, from + perHour).reduce((sum, value) => sum + value, 0) / perHour;
    const values = [temperature[end].toFixed(1), (meanWm2 * 0.0036).toFixed(2), wind[end].toFixed(1)];
    return [`${stamp(grid.startMs + (hour + 1) * MS_PER_HOUR)}:00`, ...values.flatMap((value) => [value, 8])];
  });
  const elements = ["気温(℃)", "日射量(MJ/㎡)", "風速(m/s)"].flatMap((name) => [name, name]);
  return [
    ["ダウンロードした時刻：2026/05/01 09:12:35"],
    [],
    ["", ...elements.map(() => "川崎")],
    ["年月日時", ...elements],
    ["", ...elements.map((_, k) => (k % 2 === 0 ? "" : "品質情報"))],
    ...rows,
  ];
}
