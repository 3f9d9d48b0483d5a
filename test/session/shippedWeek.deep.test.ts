import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planKwAt } from "../../src/engine/site/baseline/siteBaseline.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { checkExports, SCENARIOS } from "./checkExports.ts";
import { exportYaml } from "./exportYaml.ts";
import { openTinySession } from "./openTinySession.ts";

test("a run of the export of any span of mixed-week gives the session's report", () =>
  checkExports("mixed-week/scenario.yaml"));

test("an export that ends in a day has the baselines of the whole day: those of a longer run", async () => {
  const file = join(SCENARIOS, "mixed-week/scenario.yaml");
  const session = await openTinySession({}, readServedScenario(file));
  // Before the first demand response of the day, from which the same-day adjustment is computed.
  const nowMs = Date.parse("2026-04-01T22:59:07Z");
  await session.advance(() => nowMs);
  const exported = join(createTemporaryFolder("export"), "export.yaml");
  writeFileSync(exported, exportYaml(session));
  const cut = loadScenario(exported).world;
  const whole = loadScenario(file).world;
  let compared = 0;
  cut.sites.forEach(({ baseline }, k) => {
    const other = whole.sites[k].baseline;
    if (!("plan" in baseline) || !("plan" in other)) return;
    for (let atMs = cut.startMs; atMs < nowMs; atMs += 1_800_000) {
      expect(planKwAt(baseline.plan, atMs)).toBe(planKwAt(other.plan, atMs));
      compared++;
    }
  });
  expect(compared).toBeGreaterThan(90);
  await session.close();
});
