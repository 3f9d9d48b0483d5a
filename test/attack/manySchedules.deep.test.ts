// An owner and a VPP who register schedules without end: the time of a command does not grow with them.
import { expect, test } from "vitest";
import { run } from "../../bench/schedules.ts";

test("a command among 1,500 schedules of owners and 1,500 of their VPP takes milliseconds", () => {
  const { ownerUs, vppUs, deletionUs } = run(1_500);
  // Comparing every schedule with every later one took 200 ms and more for each command of the VPP.
  expect(vppUs).toBeLessThan(10_000);
  expect(ownerUs).toBeLessThan(10_000);
  expect(deletionUs).toBeLessThan(10_000);
}, 60_000);
