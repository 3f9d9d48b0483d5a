import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { divideWorld } from "../../../src/engine/simulation/worldParts.ts";
import { loadScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import { runScenario } from "../../../src/report/runScenario.ts";
import { RunStopped } from "../../../src/report/runStopped.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";
import { comparable, runDivided, runWhole } from "./runBothWays.ts";

test.each(["mixed-week/scenario", "features/ev-chargers"])("%s in parts gives the same as whole", async (name) => {
  const { world } = loadScenario(resolve(import.meta.dirname, `../../../scenarios/${name}.yaml`));
  expect(comparable(await runDivided(world, 4))).toEqual(comparable(runWhole(world)));
});

describe("a report of three VPPs that share nothing", () => {
  let folder = "";
  beforeAll(() => {
    folder = createTemporaryFolder("parts");
    writeFileSync(join(folder, "scenario.yaml"), PORTFOLIO);
  });
  const load = () => loadScenario(join(folder, "scenario.yaml"), { formats: ["csv", "json", "html", "parquet"] });

  test("has the same bytes from one, two and three threads", async () => {
    const scenario = load();
    expect(divideWorld(scenario.world, 100)).toHaveLength(3);
    const reportOf = async (workers: number) => {
      const out = join(folder, `report-${workers}`);
      const progress: number[] = [];
      const { eventCount } = await runScenario(scenario, { out, workers, onProgress: (done) => progress.push(done) });
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      expect(progress.at(-1)).toBe(1);
      const names = readdirSync(out).filter((name) => name !== "run.json");
      return {
        eventCount,
        files: Object.fromEntries(names.map((name) => [name, readFileSync(join(out, name), "latin1")])),
      };
    };
    const one = await reportOf(1);
    expect(Object.keys(one.files)).toContain("energy.parquet");
    expect(await reportOf(2)).toEqual(one);
    expect(await reportOf(3)).toEqual(one);
  });

  test("is not written when it is stopped", async () => {
    const out = join(folder, "stopped");
    const stop = new AbortController();
    const run = runScenario(load(), { out, workers: 2, signal: stop.signal, onProgress: () => stop.abort() });
    await expect(run).rejects.toThrow(RunStopped);
    expect(existsSync(out)).toBe(false);
  });
});

const vppNames = ["east", "south", "west"];
const PORTFOLIO = `version: 1
name: portfolio
start: 2026-04-01T00:00:00+09:00
end: 2026-04-01T12:00:00+09:00
seed: 7
sites:
${vppNames
  .map(
    (name) => `  - name: ${name}-{n:03}
    count: 100
    components:
      - {component_id: bat, component_type: battery, rated_cap: 1000, import_pwr_max: 500, export_pwr_max: 500, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50}}
    outages: {mtbf: PT40H, mttr: PT1H}
`,
  )
  .join("")}vpps:
${vppNames
  .map(
    (name) => `  - name: ${name}
    members: [{site: "${name}-*", resource_type: battery, allocation_weight: 100}]
`,
  )
  .join("")}awards:
${vppNames
  .flatMap((name, v) =>
    Array.from({ length: 12 }, (_, h) => {
      const hour = (k: number) => `2026-04-01T${String(k).padStart(2, "0")}:00:00+09:00`;
      return `  - {award_id: ${name}-${h}, vpp: ${name}, start: "${hour(h)}", end: "${hour(h + 1)}", delta_kw: ${(h % 3 === 0 ? -1 : 1) * (9000 + 2000 * v)}}
`;
    }),
  )
  .join("")}`;
