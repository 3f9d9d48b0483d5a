// The generated worlds are worth comparing, and the stepper's own error on them is far below the tolerance.
import { expect, test } from "vitest";
import { CAUSES } from "../../../src/accounting/settlement/causes.ts";
import { randomWorld } from "./randomWorld.ts";
import { stepWorld } from "./stepper.ts";

const SEEDS = Array.from({ length: 40 }, (_, k) => k + 1);

test("the worlds reach every state and every cause that awards have", () => {
  const awards = SEEDS.flatMap((seed) => stepWorld(randomWorld(seed)).awards);
  expect([...new Set(awards.map(({ state }) => state))].sort()).toEqual([
    "completed",
    "overwritten",
    "refused",
    "running",
  ]);
  const reached = CAUSES.filter((_, k) => awards.some(({ shortfallByCauseKwh }) => shortfallByCauseKwh[k] > 1));
  const elsewhere = ["direct_control"];
  expect(reached).toEqual(CAUSES.filter((cause) => !elsewhere.includes(cause)));
});

test("a step of a fifth of a second gives the same to 0.02 kWh", () => {
  for (const seed of SEEDS.slice(0, 12)) {
    const spec = randomWorld(seed);
    const [coarse, fine] = [stepWorld(spec), stepWorld(spec, { stepMs: 200 })];
    coarse.awards.forEach((award, k) => {
      expect(Math.abs(award.shortfallKwh - fine.awards[k].shortfallKwh)).toBeLessThan(0.02);
      expect(award.uncoveredKw).toBe(fine.awards[k].uncoveredKw);
    });
    coarse.sites.forEach(({ importKwh, exportKwh }, k) => {
      importKwh.forEach((kwh, j) => expect(Math.abs(kwh - fine.sites[k].importKwh[j])).toBeLessThan(0.02));
      exportKwh.forEach((kwh, j) => expect(Math.abs(kwh - fine.sites[k].exportKwh[j])).toBeLessThan(0.02));
    });
  }
});
