import { expect, test } from "vitest";
import { awardsOf, eastOf, plain, runSites, site, siteRow } from "../simulation/tinyWorld.ts";

test("a battery's cycles are counted by depth: one of 10 % within a discharge of 30 %", () => {
  // 1000 kWh without losses, from 50 %: to 35, back to 45, to 20 % of the charge. The way from 35 to 45 and back is one
  // whole cycle of 10 %; what is left is half a cycle of 30 %.
  const sites = [site("a", plain({ importMaxKw: 600, exportMaxKw: 600 }))];
  const awards = awardsOf("00:00-00:30 -300 frr", "00:30-00:45 +400 frr", "00:45-01:15 -500 frr");
  const ran = runSites(sites, { vpps: [eastOf(sites, [1])], awards });
  expect(siteRow(ran, "a").socFinalPct).toBeCloseTo(20, 9);
  expect([...(siteRow(ran, "a").cyclesByDepth ?? [])]).toEqual([1, 0.5, 0, 0, 0]);
});
