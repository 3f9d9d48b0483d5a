import { describe, expect, test } from "vitest";
import type { Connector } from "../../../src/engine/device/evChargers/evChargersSpec.ts";
import {
  type Draws,
  generateSessions,
  HOME,
  type PatternDay,
  type SessionPattern,
  WORKPLACE,
} from "../../../src/engine/device/evChargers/generateSessions.ts";
import { readSessions, type SessionRow } from "../../../src/engine/device/evChargers/readSessions.ts";
import { RandomStreams } from "../../../src/engine/kernel/randomStreams.ts";
import { chargers, HOUR, MINUTE, START, type Stay, stay } from "./chargers.ts";
import { DepartureTotals } from "./departureTotals.ts";

const CONNECTORS: readonly Connector[] = ["left", "right"].map((connectorId) => ({
  connectorId,
  chargeMaxKw: 11,
  dischargeMaxKw: 0,
}));

const row = (connector: string, changes: Stay): SessionRow => ({ ...stay(changes), connector });

/** Row, field, found, allowed. */
function violationsOf(...rows: readonly SessionRow[]): string[] {
  const read = readSessions(rows, CONNECTORS);
  return read.ok
    ? []
    : read.violations.map(({ row: k, field, found, allowed }) => `${k} ${field} ${found}: ${allowed}`);
}

describe("rows of sessions", () => {
  test("are put in order of arrival, then connector", () => {
    const read = readSessions(
      [row("right", { from: 1, to: 2 }), row("left", { from: 3, to: 4 }), row("left", { from: 1, to: 3 })],
      CONNECTORS,
    );
    const order = read.ok ? read.sessions.map(({ connector, arrivalMs }) => [connector, arrivalMs - START]) : [];
    expect(order).toEqual([
      [0, HOUR],
      [1, HOUR],
      [0, 3 * HOUR],
    ]);
  });

  test("that overlap at a connector are refused, each with the one that it overlaps", () =>
    expect(
      violationsOf(
        row("left", { from: 0, to: 5 }),
        row("left", { from: 1, to: 2 }),
        row("right", { from: 1, to: 2 }),
        row("left", { from: 4, to: 6 }),
        row("left", { from: 6, to: 7 }),
      ),
    ).toEqual([
      "1 arrivalMs 2026-04-01T01:00:00Z: at or after 2026-04-01T05:00:00Z, when the session of row 1 at connector left ends",
      "3 arrivalMs 2026-04-01T04:00:00Z: at or after 2026-04-01T05:00:00Z, when the session of row 1 at connector left ends",
    ]));

  test("are refused with all of their errors", () =>
    expect(
      violationsOf(
        row("middle", { from: 2, to: 2 }),
        row("left", { from: 2, to: 2 }),
        row("left", { to: 3, capacityKwh: 40, energyOnArrivalKwh: -1, energyWantedKwh: 41, maxKw: 0 }),
        row("left", { from: 1, to: 3, capacityKwh: 0, energyWantedKwh: 0 }),
        { ...row("right", { to: 1 }), arrivalMs: START + 0.5 },
      ),
    ).toEqual([
      '0 connector "middle": one of left, right',
      "1 departureMs 2026-04-01T02:00:00Z: an instant after the arrival 2026-04-01T02:00:00Z",
      "2 maxKw 0 kW: above 0 kW",
      "2 energyOnArrivalKwh -1 kWh: 0 to the capacity of 40 kWh",
      "2 energyWantedKwh 41 kWh: 0 to the capacity of 40 kWh",
      "3 capacityKwh 0 kWh: above 0 kWh",
      `4 arrivalMs ${START + 0.5}: an instant in whole milliseconds`,
    ]));
});

test("departures below the wanted energy are counted, unavoidable ones apart", () => {
  const spec = chargers([{ to: 2 }, { to: 2, energyWantedKwh: 15, connector: 1 }]);
  const totals = new DepartureTotals(spec);
  totals.departed(spec.sessions[0], 12); // wants 100, could have had 20
  totals.departed(spec.sessions[1], 15 - 5e-7);
  totals.departed(spec.sessions[1], 9);
  expect(totals).toMatchObject({ count: 3, unservedCount: 2, unservedKwh: 94, unreachableKwh: 80 });
});

const DAYS: readonly PatternDay[] = Array.from({ length: 28 }, (_, k) => ({
  midnightMs: START + 24 * k * HOUR,
  isWorkday: k % 7 < 5,
}));

/** The same numbers again and again, in order. */
const fixedDraws = (units: readonly number[], normals: readonly number[]) => (): Draws => {
  let unit = 0;
  let normal = 0;
  return { nextUniform: () => units[unit++ % units.length], nextNormal: () => normals[normal++ % normals.length] };
};

const seeded = (seed: number) => {
  const streams = new RandomStreams(seed);
  return (connector: number) => streams.getStream("ev_sessions", `c${connector}`);
};

const daily: SessionPattern = { ...HOME, workdayProbability: 1, otherDayProbability: 1 };

describe("generated sessions", () => {
  test("follow the draws: presence, direction, arrival, departure, energy used", () => {
    // 18 + 2 · 0.5 h, 7.5 − 1 · 0.25 h on the next day, 48 − (20 + 8 · 1) kWh.
    const pattern = { ...daily, twoWayShare: 0.5 };
    expect(generateSessions(pattern, 1, DAYS.slice(0, 1), fixedDraws([0.3, 0.4], [0.5, -0.25, 1]))).toEqual([
      {
        connector: 0,
        arrivalMs: START + 19 * HOUR,
        departureMs: START + 31 * HOUR + 15 * MINUTE,
        energyOnArrivalKwh: 20,
        energyWantedKwh: 48,
        capacityKwh: 60,
        maxKw: 7.4,
        twoWay: true,
      },
    ]);
  });

  test("end on the day of their arrival where the departure is later", () => {
    const [{ arrivalMs, departureMs }] = generateSessions(WORKPLACE, 1, DAYS.slice(0, 1), fixedDraws([0], [0]));
    expect([arrivalMs, departureMs]).toEqual([START + 9 * HOUR, START + 17 * HOUR]);
  });

  test("end at the time of day that the next day has, also where a day has 23 hours", () => {
    const days = [DAYS[0], { midnightMs: START + 23 * HOUR, isWorkday: true }];
    const [{ departureMs }] = generateSessions(daily, 1, days, fixedDraws([0], [0]));
    expect(departureMs).toBe(START + 23 * HOUR + 7.5 * HOUR);
  });

  test("are cut at three standard deviations, at the day's ends and at the lowest energy", () => {
    const pattern = { ...daily, arrivalHour: { mean: 22, deviation: 2 } };
    const [{ arrivalMs, energyOnArrivalKwh }] = generateSessions(pattern, 1, DAYS.slice(0, 1), fixedDraws([0], [9]));
    expect(arrivalMs).toBe(START + 24 * HOUR - MINUTE);
    // 48 − (20 + 3 · 8) = 4 kWh, at least 10 % of 60 kWh.
    expect(energyOnArrivalKwh).toBe(6);
  });

  test("do not overlap: a car waits until its connector is free", () => {
    // Arrival and departure are both around 18:00: about half of the cars would come before the last one goes.
    const pattern = { ...daily, departureHour: { mean: 18, deviation: 2 }, arrivalHour: { mean: 18, deviation: 2 } };
    const sessions = generateSessions(pattern, 3, DAYS, seeded(1));
    const rows = sessions.map((session) => ({ ...session, connector: `c${session.connector}` }));
    const connectors = ["c0", "c1", "c2"].map((connectorId) => ({ connectorId, chargeMaxKw: 7, dischargeMaxKw: 0 }));
    expect(readSessions(rows, connectors)).toEqual({ ok: true, sessions });
    const ends = new Set(sessions.map(({ connector, departureMs }) => `${connector} ${departureMs}`));
    expect(sessions.filter(({ connector, arrivalMs }) => ends.has(`${connector} ${arrivalMs}`)).length).toBeGreaterThan(
      5,
    );
  });

  test("come as often as they should, on workdays and others", () => {
    const sessions = generateSessions(
      { ...HOME, workdayProbability: 0.5, otherDayProbability: 0.1 },
      200,
      DAYS,
      seeded(2),
    );
    const isWorkday = (ms: number) => Math.floor((ms - START) / (24 * HOUR)) % 7 < 5;
    const workday = sessions.filter(({ arrivalMs }) => isWorkday(arrivalMs)).length;
    // 4,000 and 1,600 draws: standard deviations 32 and 12.
    expect(Math.abs(workday - 2000)).toBeLessThan(130);
    expect(Math.abs(sessions.length - workday - 160)).toBeLessThan(50);
    const meanHour =
      sessions.reduce((sum, { arrivalMs }) => sum + (((arrivalMs - START) / HOUR) % 24), 0) / sessions.length;
    expect(Math.abs(meanHour - 18)).toBeLessThan(0.2);
  });

  test("stay where they are when a connector is added or a parameter changed", () => {
    const few = generateSessions(HOME, 2, DAYS, seeded(3));
    const more = generateSessions(HOME, 3, DAYS, seeded(3));
    expect(more.filter(({ connector }) => connector < 2)).toEqual(few);
    const often = generateSessions({ ...HOME, workdayProbability: 0.8 }, 2, DAYS, seeded(3));
    expect(often.length).toBeGreaterThan(few.length);
    expect(often).toEqual(expect.arrayContaining(few));
    expect(generateSessions(HOME, 2, DAYS, seeded(4))).not.toEqual(few);
  });
});
