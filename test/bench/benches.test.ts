// Every bench at a small size: it runs, and its answer is the known one. Another hash means another answer, not another
// speed. The benches of the event queue and of the PV chain are tested where their code is; those that start processes are in
// processes.deep.test.ts.
import { expect, test } from "vitest";
import { run as frequencyResponse } from "../../bench/fcr.ts";
import { medianOf } from "../../bench/fleetYear.ts";
import { run as multiFleet } from "../../bench/multiFleet.ts";
import { run as readSeries } from "../../bench/readSeries.ts";
import { run as reads } from "../../bench/reads.ts";
import { run as scale } from "../../bench/scaling.ts";
import { run as schedules } from "../../bench/schedules.ts";
import { run as writeTables } from "../../bench/tables.ts";

test("runs whose answers differ are no bench", () => {
  const cost = { wallS: 2, userS: 1, systemS: 0, peakMb: 9 };
  const of = (wallS: number, hash: string) => ({ ...cost, wallS, hash });
  expect(medianOf([of(3, "a"), of(1, "a"), of(2, "a")]).wallS).toBe(2);
  expect(() => medianOf([of(1, "a"), of(2, "b")])).toThrow(/differ: b and a/);
});

test("scaling: half-hour awards times members, answered alike twice", () => {
  const rows = scale([1, 2], [2, 10]);
  expect(rows.map(({ days, members, changes }) => [days, members, changes])).toEqual([
    [1, 2, 96],
    [1, 10, 480],
    [2, 2, 192],
    [2, 10, 960],
  ]);
  // Two events an award at the least: its start and its end.
  for (const { events, days } of rows) expect(events).toBeGreaterThan(96 * days);
  const answers = rows.map(({ hash }) => hash);
  expect(new Set(answers).size).toBe(answers.length);
  expect(scale([1, 2], [2, 10]).map(({ hash }) => hash)).toEqual(answers);
});

test("reads of the APIs: status and history of a day, answered alike twice", () => {
  const [once, again] = [1, 2].map(() => reads(1, [3], 5));
  expect(once.map(({ endpoint: what, characters, hash }) => [what, characters, hash])).toEqual(
    again.map(({ endpoint: what, characters, hash }) => [what, characters, hash]),
  );
  // A day of minutes of three members is some hundred characters each.
  expect(once[2].characters).toBeGreaterThan(1440 * 3 * 300);
  for (const { result: figure } of once) expect(figure).toBeGreaterThan(0);
});

test("schedules of owners and of a VPP: a hundred each, all accepted", () => {
  expect(schedules(100).hash).toBe("73a7e4d70759ac07");
});

test("reading of series", () => {
  expect(readSeries(1_000).hash).toBe("b402195013062744");
});

test("writing of tables", () => {
  expect(writeTables(96).map(({ format, rows, hash }) => [format, rows, hash])).toEqual([
    ["csv", 9600, "eaec677530927839"],
    ["json", 9600, "0c6761e4ac626cbd"],
    ["parquet", 9600, "6b6a86a8b25aac7d"],
  ]);
});

test("frequency response: a quarter of a day of a few batteries, plain and mixed", () => {
  expect(frequencyResponse(3, 0.25, 1).hash).toBe(frequencyResponse(3, 0.25, 1).hash);
  const plain = frequencyResponse(3, 0.25, 1);
  const mixed = frequencyResponse(3, 0.25, 1, true);
  expect(mixed.hash).not.toBe(plain.hash);
  // A window of the frequency is half an hour: twelve for each battery, and the award.
  for (const { events } of [plain, mixed]) expect(events).toBeLessThan(50);
});

test("a fleet of sites of several components: two of them for two days, answered alike twice", () => {
  const [row, again] = [multiFleet(2, 2), multiFleet(2, 2)];
  expect(again.hash).toBe(row.hash);
  expect(multiFleet(3, 2).hash).not.toBe(row.hash);
  // A start and an end of each award; two that meet may share an instant, but not an event.
  expect(row.events).toBeGreaterThanOrEqual(2 * 96);
});
