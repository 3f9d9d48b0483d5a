import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { memoryFiles } from "../../../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario } from "../../../src/live/session/servedScenario.ts";
import { PROJECT_ROOT } from "../../tidySource.ts";
import { runReport, ServedPlant } from "../servedPlant.ts";

test("PV with a sensor comes from its irradiance: the twin sends what the plant sent, within the losses that it does not know", async () => {
  const folder = join(PROJECT_ROOT, "scenarios/features");
  const yaml = readFileSync(join(folder, "pv-from-weather.yaml"), "utf8");
  const vpps =
    "vpps: [{name: east, members: [{site: roof-south, resource_type: generator}, {site: facade-east, resource_type: generator}]}]\n";
  const files = new Map([
    ["/pv/features/scenario.yaml", `${yaml.replace("../../data/", "")}${vpps}`],
    ["/pv/features/tokyo-weather-week.csv", readFileSync(join(PROJECT_ROOT, "data/tokyo-weather-week.csv"), "utf8")],
  ]);
  const plant = await ServedPlant.open(
    readServedScenario("/pv/features/scenario.yaml", memoryFiles(files)),
    "2026-04-02T14:30:00Z",
  );
  const { scenarioFile, document } = await plant.import();
  const bare = await plant.import({ siteTokens: new Map() });
  await plant.close();
  const [guess] = parse(readFileSync(bare.scenarioFile, "utf8")).sites;
  expect(guess.components[0]).toMatchObject({ generator_kind: "pv", model: { irradiance: `${guess.name}.poa_w_m2` } });
  expect((await runReport(bare.scenarioFile))("energy.csv").length).toBeGreaterThan(40);
  const [roof] = parse(readFileSync(scenarioFile, "utf8")).sites;
  expect(roof.components[0].model).toEqual({ irradiance: `${roof.name}.poa_w_m2` });
  expect(document.not_known.map(({ about }) => about)).toContain("orientation");
  const sent = (report: Awaited<ReturnType<typeof runReport>>, name: string) =>
    report("energy.csv")
      .filter(({ site, start }) => site === name && start < "2026-04-02T14:00:00Z")
      .reduce((sum, row) => sum + Number(row.export_kwh), 0);
  const original = await runReport(join(folder, "pv-from-weather.yaml"));
  const ratio = sent(await runReport(scenarioFile), roof.name) / sent(original, "roof-south");
  expect(ratio).toBeGreaterThan(0.97);
  expect(ratio).toBeLessThan(1.06);
});
