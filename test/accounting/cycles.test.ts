import { expect, test } from "vitest";
import { eastVpp, findSiteRow, losslessBattery, parseAwards, runSites, site } from "../simulation/smallWorld.ts";

test("a battery's cycles are counted by depth: one of 10 % within a discharge of 30 %", () => {
  // 1000 kWh without losses, from 50 %: down to 35, up to 45, down to 20 %. From 35 to 45 and back is one full cycle of
  // 10 %; the rest is half a cycle of 30 %.
  const sites = [site("a", losslessBattery({ importMaxKw: 600, exportMaxKw: 600 }))];
  const awards = parseAwards("00:00-00:30 -300 frr", "00:30-00:45 +400 frr", "00:45-01:15 -500 frr");
  const ran = runSites(sites, { vpps: [eastVpp(sites, [1])], awards });
  expect(findSiteRow(ran, "a").socFinalPct).toBeCloseTo(20, 9);
  expect([...(findSiteRow(ran, "a").cyclesByDepth ?? [])]).toEqual([1, 0.5, 0, 0, 0]);
});
