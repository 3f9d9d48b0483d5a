import fc from "fast-check";
import { DateTime } from "luxon";
import { expect, test } from "vitest";
import { runs } from "../depth.ts";
import { columnOf, seriesOf } from "./readText.ts";

/** A load of means over even intervals, and one of the layouts in which a file may print it. */
const layouts = fc.record({
  zone: fc.constantFrom("Asia/Tokyo", "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"),
  // In 2027 clocks change on 14 and 28 March, 3 April, 31 October and 7 November, among others.
  day: fc.constantFrom(
    "2027-02-03",
    "2027-03-14",
    "2027-03-28",
    "2027-04-04",
    "2027-10-03",
    "2027-10-31",
    "2027-11-07",
  ),
  days: fc.integer({ min: 1, max: 3 }),
  stepMin: fc.constantFrom(5, 15, 30, 60),
  layout: fc.constantFrom("stamp", "clock", "range", "inclusive", "from-to", "slot", "offset", "12 hours"),
  isEnd: fc.boolean(),
  order: fc.constantFrom("rising", "falling", "pairs", "shuffled"),
  isEnergy: fc.boolean(),
  hasDecimalComma: fc.boolean(),
  titles: fc.integer({ min: 0, max: 3 }),
});
type Layout = typeof layouts extends fc.Arbitrary<infer T> ? T : never;

interface Interval {
  readonly startMs: number;
  readonly endMs: number;
  readonly kw: number;
}

function intervalsOf({ zone, day, days, stepMin }: Layout): Interval[] {
  const from = DateTime.fromISO(day, { zone });
  const stepMs = stepMin * 60_000;
  const count = (from.plus({ days }).toMillis() - from.toMillis()) / stepMs;
  return Array.from({ length: count }, (_, k) => {
    const startMs = from.toMillis() + k * stepMs;
    return { startMs, endMs: startMs + stepMs, kw: 40 + ((37 * k) % 101) / 4 };
  });
}

/** Cells of the times of a row. */
function timeCells({ zone, layout, isEnd, stepMin, hasDecimalComma }: Layout, { startMs, endMs }: Interval): string[] {
  const at = (ms: number, format: string) => DateTime.fromMillis(ms, { zone }).toFormat(format);
  const date = hasDecimalComma ? "dd.MM.yyyy" : "yyyy-MM-dd";
  const markMs = isEnd ? endMs : startMs;
  if (layout === "stamp") return [at(markMs, `${date} HH:mm`)];
  if (layout === "12 hours") return [at(markMs, `${date} h:mm a`)];
  if (layout === "offset") return [at(markMs, "yyyy-MM-dd'T'HH:mm:ssZZ")];
  if (layout === "clock") return [at(markMs, date), at(markMs, "HH:mm")];
  if (layout === "from-to") return [at(startMs, `${date} HH:mm`), at(endMs, `${date} HH:mm`)];
  if (layout === "slot") {
    const midnight = DateTime.fromMillis(startMs, { zone }).startOf("day");
    return [at(startMs, date), String(1 + (startMs - midnight.toMillis()) / (stepMin * 60_000))];
  }
  // An end as it is printed: the start and the length of the interval.
  const local = DateTime.fromMillis(startMs, { zone });
  const end = local.hour * 60 + local.minute + stepMin - (layout === "inclusive" ? 1 : 0);
  const two = (value: number) => String(value).padStart(2, "0");
  return [at(startMs, date), `${at(startMs, "HH:mm")}-${two(Math.floor(end / 60))}:${two(end % 60)}`];
}

const HEADERS: Readonly<Record<Layout["layout"], string[]>> = {
  stamp: ["Zeitpunkt"],
  "12 hours": ["Time of use"],
  offset: ["timestamp"],
  clock: ["Datum", "Uhrzeit"],
  range: ["day", "interval"],
  inclusive: ["day", "interval"],
  "from-to": ["von", "bis"],
  slot: ["date", "period"],
};

/** Orders of rows; in no order the two runs of a repeated hour are alike, and so are the 0:00 of two days. */
function ordered(
  { order, zone, isEnd, layout }: Layout,
  intervals: readonly Interval[],
  rows: readonly string[],
): string[] {
  const hasEnd = isEnd && !["range", "inclusive", "from-to", "slot"].includes(layout);
  const shown = ({ startMs, endMs }: Interval) =>
    DateTime.fromMillis(hasEnd ? endMs : startMs, { zone }).toFormat("yyyy-MM-dd HH:mm");
  if (order === "pairs")
    return rows
      .map((row, k) => ({ row, key: shown(intervals[k]), k }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.k - b.k))
      .map(({ row }) => row);
  if (order === "falling") return [...rows].reverse();
  if (order === "shuffled")
    return rows
      .map((row, k) => [((k + 1) * 7_919) % 10_007, row] as const)
      .sort(([a], [b]) => a - b)
      .map(([, row]) => row);
  return [...rows];
}

test("a load that is printed in any layout is the same load", () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      // Hours do not fit into days of 23.5 hours.
      fc.pre(layout.zone !== "Australia/Lord_Howe" || layout.stepMin < 60);
      const { zone, stepMin, isEnd, isEnergy, hasDecimalComma, titles } = layout;
      const intervals = intervalsOf(layout);
      const offsets = new Set(
        intervals.map(
          ({ startMs, endMs }) =>
            `${DateTime.fromMillis(startMs, { zone }).offset} ${DateTime.fromMillis(endMs, { zone }).offset}`,
        ),
      );
      const hasChange = offsets.size > 1;
      // The file does not show the runs of a repeated hour in no order.
      fc.pre(!(hasChange && layout.order === "shuffled" && !["offset", "slot"].includes(layout.layout)));
      const delimiter = hasDecimalComma ? ";" : ",";
      const amount = (kw: number) => {
        const value = String(isEnergy ? (kw * stepMin) / 60 : kw);
        return hasDecimalComma ? value.replace(".", ",") : value;
      };
      const rows = intervals.map((interval) => [...timeCells(layout, interval), amount(interval.kw)].join(delimiter));
      const head = Array.from({ length: titles }, (_, k) => ["Bericht 2027-01-01", "", "Kunde: 7"][k]);
      const header = [...HEADERS[layout.layout], isEnergy ? "Import kWh" : "Leistung [kW]"].join(delimiter);
      const text = [...head, header, ...ordered(layout, intervals, rows), ""].join("\n");
      const options = {
        timezone: zone,
        label: isEnd ? "end" : "start",
        decimal: hasDecimalComma ? "," : ".",
        date_order: hasDecimalComma ? "dmy" : "ymd",
      } as const;
      const read = seriesOf({ format: "table", text, options, encoding: "utf8" });
      const { timesMs, endsMs, values } = columnOf(read, isEnergy ? "ImportkW" : "Leistung[kW]");
      expect([...timesMs]).toEqual(intervals.map(({ startMs }) => startMs));
      expect([...endsMs]).toEqual(intervals.map(({ endMs }) => endMs));
      intervals.forEach(({ kw }, k) => expect(values[k]).toBeCloseTo(kw, 9));
      expect(read.gaps).toEqual([]);
    }),
    { numRuns: runs(100) },
  );
});
