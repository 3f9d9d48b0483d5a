import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readServedScenario } from "../../../src/live/session/servedScenario.ts";
import { writeTinyScenario } from "../../session/tinyScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { runReport, ServedPlant } from "../servedPlant.ts";

test("the scenario of a served VPP has its awards, shares and outages", async () => {
  const file = writeTinyScenario(createTemporaryFolder("tiny"));
  const text = readFileSync(file, "utf8")
    .replace("loss_probability: 0.3, ", "")
    .replace(/rebound_\w+: [\d.]+(, )?/g, "")
    .replace(", }", "}");
  writeFileSync(file, text);
  const plant = await ServedPlant.open(readServedScenario(file), "2026-04-01T05:30:00Z");
  const { scenarioFile, document } = await plant.import();
  await plant.close();
  expect(document.awards).toEqual({ schedules: 1, reconstructed: 0, refused: 0 });
  const [original, twin] = [await runReport(file), await runReport(scenarioFile)];
  const awards = (report: typeof twin) =>
    report("awards.csv").map(({ start, end, requested_kwh, uncovered_kwh }) => ({
      start,
      end,
      requested_kwh,
      uncovered_kwh,
    }));
  expect(awards(twin)).toEqual(awards(original));
  const shares = (report: typeof twin) =>
    report("dispatch.csv").map(({ start, delta_kw, dispatch_status }) => ({ start, delta_kw, dispatch_status }));
  expect(shares(twin)).toEqual(shares(original));
});
