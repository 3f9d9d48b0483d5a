// Rows of load reductions: period, power, delivered energy and rebound.
import { describe, expect, test } from "vitest";
import type { ReductionRow } from "../../src/accounting/runRecord.ts";
import { at, consumer, flat, site } from "../simulation/smallWorld.ts";
import { runWorldCase, type WorldCase } from "../simulation/worldCases.ts";

const MINUTE = 60_000;

/** A factory of 500 kW whose baseline slots equal its load; the world lasts three hours. */
const factory = (given: Parameters<typeof consumer>[1] = {}, name = "a") =>
  site(name, consumer(flat(500), given), { baseline: { method: "perfect" } });

const clock = (ms: number) => {
  const minutes = (ms - at("00:00")) / MINUTE;
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(Math.floor(minutes / 60))}:${two(Math.floor(minutes % 60))}`;
};

/** "a 00:00-01:00 200 kW: 500 to 300 kWh, 200 given, 0 back". */
const rowText = ({ site: name, startMs, endMs, requestedKw, ...kwh }: ReductionRow) =>
  `${name} ${clock(startMs)}-${clock(endMs)} ${requestedKw} kW: ${thousandths(kwh.baselineKwh)} to ${thousandths(kwh.actualKwh)} kWh, ${thousandths(kwh.deliveredKwh)} given, ${thousandths(kwh.reboundKwh)} back`;

const thousandths = (kwh: number) => Math.round(kwh * 1000) / 1000;

const REBOUND = { reboundFraction: 0.5, reboundMs: 60 * MINUTE };

const STORIES: readonly (Pick<WorldCase, "title" | "sites" | "awards" | "events"> & {
  readonly expectedAwards: readonly string[];
})[] = [
  {
    title: "no reduction, no row",
    sites: [factory()],
    awards: [],
    expectedAwards: [],
  },
  {
    title: "an award of a reduction",
    sites: [factory()],
    awards: ["00:00-01:00 -200"],
    expectedAwards: ["a 00:00-01:00 200 kW: 500 to 300 kWh, 200 given, 0 back"],
  },
  {
    title: "delay and ramp count as not delivered",
    // 200 kW × 60 s and a triangle of 200 kW × 100 s are missing: 3.333 + 2.778 kWh.
    sites: [factory({ responseDelayMs: MINUTE, rampKwPerS: 2 })],
    awards: ["00:00-01:00 -200"],
    expectedAwards: ["a 00:00-01:00 200 kW: 500 to 306.111 kWh, 193.889 given, 0 back"],
  },
  {
    title: "half of the shed energy rebounds",
    sites: [factory(REBOUND)],
    awards: ["00:00-00:30 -200"],
    expectedAwards: ["a 00:00-00:30 200 kW: 250 to 150 kWh, 100 given, 50 back"],
  },
  {
    title: "energy above the maximum demand never rebounds",
    // 50 kW for an hour, of which 20 kW fit.
    sites: [factory({ ...REBOUND, maxDemandKw: 520 })],
    awards: ["00:00-00:30 -200"],
    expectedAwards: ["a 00:00-00:30 200 kW: 250 to 150 kWh, 100 given, 20 back"],
  },
  {
    title: "a rebound under a new reduction stays that of the first",
    // 100 kWh shed return as 50 kW from 00:30; 25 kWh shed return as 12.5 kW from 01:00. The first rebound reduces the
    // second delivery: 500 − 450.
    sites: [factory(REBOUND)],
    awards: ["00:00-00:30 -200 frr", "00:45-01:00 -100 frr"],
    expectedAwards: [
      "a 00:00-00:30 200 kW: 250 to 150 kWh, 100 given, 50 back",
      "a 00:45-01:00 100 kW: 125 to 112.5 kWh, 12.5 given, 12.5 back",
    ],
  },
  {
    title: "two rebounds that do not fit lose in proportion",
    // 50 kW from 00:30 and 12.5 kW from 01:00, limited to 25 kW in total: until 01:00 the first is reduced by 25 kW
    // except during the second reduction, in which all fits; from 01:00 to 01:30 they have 20 and 5 kW; then the second
    // has its 12.5 kW.
    sites: [factory({ ...REBOUND, maxDemandKw: 525 })],
    awards: ["00:00-00:30 -200 frr", "00:45-01:00 -100 frr"],
    expectedAwards: [
      "a 00:00-00:30 200 kW: 250 to 150 kWh, 100 given, 28.75 back",
      "a 00:45-01:00 100 kW: 125 to 112.5 kWh, 12.5 given, 8.75 back",
    ],
  },
  {
    title: "contiguous awards of one product are one reduction, with the largest request",
    sites: [factory()],
    awards: ["00:00-00:30 -100 frr", "00:30-01:00 -200 frr"],
    expectedAwards: ["a 00:00-01:00 200 kW: 500 to 350 kWh, 150 given, 0 back"],
  },
  {
    title: "contiguous awards of two products are two",
    sites: [factory()],
    awards: ["00:00-00:30 -100 frr", "00:30-01:00 -200 rr"],
    expectedAwards: [
      "a 00:00-00:30 100 kW: 250 to 200 kWh, 50 given, 0 back",
      "a 00:30-01:00 200 kW: 250 to 150 kWh, 100 given, 0 back",
    ],
  },
  {
    title: "a noticed outage ends it at the outage's start, and the time out of service counts for nothing",
    sites: [factory()],
    awards: ["00:00-01:00 -200"],
    events: ["outage 0 00:30-01:30"],
    expectedAwards: ["a 00:00-00:30 200 kW: 250 to 150 kWh, 100 given, 0 back"],
  },
  {
    title: "by start, then in the order of the sites",
    sites: [factory(), factory({}, "b")],
    awards: ["00:00-00:30 -200", "01:00-01:30 -100"],
    expectedAwards: [
      "a 00:00-00:30 100 kW: 250 to 200 kWh, 50 given, 0 back",
      "b 00:00-00:30 100 kW: 250 to 200 kWh, 50 given, 0 back",
      "a 01:00-01:30 50 kW: 250 to 225 kWh, 25 given, 0 back",
      "b 01:00-01:30 50 kW: 250 to 225 kWh, 25 given, 0 back",
    ],
  },
];

describe("reductions", () => {
  test.each(STORIES)("$title", ({ expectedAwards: rows, ...story }) => {
    const { record } = runWorldCase(story);
    expect(record.reductions.map(rowText)).toEqual(rows);
    for (const { site: name, drDeliveredKwh } of record.sites) {
      const given = record.reductions
        .filter((row) => row.site === name)
        .reduce((sum, row) => sum + row.deliveredKwh, 0);
      expect(thousandths(given)).toBe(drDeliveredKwh);
    }
  });
});
