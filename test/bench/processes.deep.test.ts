// The benches that start processes and servers, at a small size: they run, and every answer is the right one.
import { rmSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { medianOf, runFolder } from "../../bench/fleetYear.ts";
import { run as holds } from "../../bench/holds.ts";
import { run as month } from "../../bench/month.ts";
import { run as pace } from "../../bench/pacing.ts";
import { run as portfolio } from "../../bench/portfolio.ts";
import { run as restart } from "../../bench/restart.ts";
import { run as serve } from "../../bench/serve.ts";
import { writeFiles } from "../../src/inputs/datagen/disk/writeFiles.ts";
import { fleetFiles } from "../../src/inputs/datagen/fleetFiles.ts";
import { builtCommand } from "../cli/builtCommand.ts";
import { needing } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

let command: readonly string[];
beforeAll(() => {
  command = [builtCommand()];
});

test("a day of the fleet as a process of its own, twice to the same bytes", () => {
  const folder = createTemporaryFolder("fleet");
  try {
    writeFiles(folder, fleetFiles("fleet-day", 1));
    const costs = [0, 1].map(() => runFolder(folder, command));
    const { wallS, userS, peakMb } = medianOf(costs);
    for (const cost of [wallS, userS, peakMb]) expect(cost).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("two VPPs of a hundred members in one thread and in two, to the same bytes", () => {
  const rows = portfolio({ vpps: 2, members: 100, days: 1, threads: 2 }, command);
  expect(rows.map(({ name }) => name)).toEqual(["1 thread", "2 threads"]);
  expect(rows[0].cost.hash).toBe(rows[1].cost.hash);
});

test("serving: every answer is the right one", async () => {
  const rows = await serve({ calls: 64 });
  expect(rows.map(({ call, members, answered, wrong }) => [call, members, answered, wrong])).toEqual([
    ["GET status", 6, 64, 0],
    ["POST control", 6, 64, 0],
    ["GET status", 100, 64, 0],
    ["POST control", 100, 64, 0],
  ]);
  for (const { perSecond } of rows) expect(perSecond).toBeGreaterThan(0);
});

test("holds of the event loop: every call of the three APIs is answered", async () => {
  const rows = await holds({ members: 3, days: 1, commands: 10 }, command);
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.filter(({ status }) => status !== 200)).toEqual([]);
  for (const { holdMs } of rows) expect(holdMs).toBeGreaterThanOrEqual(0);
});

test("recovery after a crash: to the same state", async () => {
  const row = await restart({ members: 3, hours: 2, commandsPerHour: 12 }, command);
  expect(row).toMatchObject({ members: 3, commands: 24 });
  expect(row.restartS).toBeGreaterThan(0);
});

needing("Linux", process.platform === "linux").test("pacing and a month, made small", async () => {
  const paced = await pace({ members: 3, readers: 1, speed: 3_600, seconds: 0.5 }, command);
  // A hello and a clock at least.
  expect(paced.messages).toBeGreaterThanOrEqual(2);
  expect(paced.achieved).toBeGreaterThan(0);
  const row = await month({ members: 3, commandsPerHour: 1, readers: 1, days: 7 }, command);
  expect(row).toMatchObject({ commands: 168, gaps: 0 });
  expect(row.residentMb).toHaveLength(2);
  expect(row.messages).toBeGreaterThan(7 * 1_440);
});
