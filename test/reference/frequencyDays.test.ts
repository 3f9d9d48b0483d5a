// Recorded days of grid frequency through a whole run: the battery drifts as a loop over seconds says.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Series } from "../../src/engine/series/model/series.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { RowCollector } from "../accounting/tableRows.ts";
import { needingShared } from "../needing.ts";
import { runWorld } from "../runWorld.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PROJECT_ROOT } from "../tidySource.ts";

const DATA = join(PROJECT_ROOT, "..", "shared", "data");
const folder = createTemporaryFolder("frequency");
const FOLDERS = ["open/frequency", "terms-unclear/frequency"];
const files = FOLDERS.flatMap((folder) => {
  const path = join(DATA, folder);
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith(".csv.gz"))
        .sort()
        .map((name) => join(path, name))
    : [];
});

/** Most of the day in a file's name; a record begins at midnight or, where that is local, some hours later. */
function scenarioOf(file: string, hz: number): string {
  const day = /\d{4}-\d{2}-\d{2}/.exec(file)?.[0];
  return `version: 1
name: recorded-frequency
start: ${day}T05:00:00Z
end: ${day}T23:30:00Z
series: {f: {file: ${JSON.stringify(file)}, time: timestamp_utc}}
frequency: {series: f}
sites:
  - name: battery
    capability: {fcr_capable: true}
    components:
      - {component_id: bat, component_type: battery, fcr_capable: true, rated_cap: 2000, import_pwr_max: 1000,
         export_pwr_max: 1000, soc_op_min: 10, soc_op_max: 90}
    fcr_config: {freq_ref: ${hz}, up_deadband: 0.01, low_deadband: 0.01, up_droop: 0.4, low_droop: 0.4}
vpps: [{name: east, members: [{site: battery, resource_type: battery}]}]
awards: [{vpp: east, sku: fcr, start: ${day}T05:00:00Z, end: ${day}T23:30:00Z, fcr_response_kw: 500}]
`;
}

needingShared(`data/${FOLDERS[0]}`).describe("recorded days", () => {
  test.each(files.length === 0 ? ["no file"] : files)("%s", (file) => {
    const hz = file.includes("60hz") ? 60 : 50;
    const scenarioFile = join(folder, "scenario.yaml");
    writeFileSync(scenarioFile, scenarioOf(file, hz));
    const { world } = loadScenario(scenarioFile);
    const { frequencyHz } = world;
    if (!(frequencyHz instanceof Series)) throw new Error("a recorded frequency is a series");
    let storedKwh = 1000;
    let [upKwh, downKwh, atBoundS] = [0, 0, 0];
    const drawnKwh: number[] = [];
    for (let atMs = world.startMs; atMs < world.endMs; atMs += 1000) {
      if ((atMs - world.startMs) % 1_800_000 === 0) drawnKwh.push(0);
      const offHz = frequencyHz.valueAt(atMs) - hz;
      const beyondHz = Math.sign(offHz) * Math.max(0, Math.abs(offHz) - 0.01);
      let kw = Math.max(-500, Math.min(500, (1000 * beyondHz) / hz / 0.004));
      if (kw > 0) kw = Math.min(kw, ((1800 - storedKwh) / 0.95) * 3600);
      else kw = -Math.min(-kw, (storedKwh - 200) * 0.95 * 3600);
      storedKwh += (kw > 0 ? kw * 0.95 : kw / 0.95) / 3600;
      if (kw > 0) upKwh += kw / 3600;
      else downKwh -= kw / 3600;
      if (storedKwh <= 200.000001 || 1799.999999 <= storedKwh) atBoundS++;
      drawnKwh[drawnKwh.length - 1] += kw / 3600;
    }
    const energy = new RowCollector();
    const { sites, awards } = runWorld(world, { intervalMs: 1_800_000, energy });
    expect(sites[0].socFinalPct).toBeCloseTo(storedKwh / 20, 6);
    const { fcr } = awards[0];
    expect(fcr?.activatedUpKwh).toBeCloseTo(upKwh, 5);
    expect(fcr?.activatedDownKwh).toBeCloseTo(downKwh, 5);
    // The loop sees a bound a second late.
    expect(Math.abs((fcr?.minutesAtBound ?? 0) - atBoundS / 60)).toBeLessThan(1);
    expect(upKwh + downKwh).toBeGreaterThan(100);
    expect(energy.rows).toHaveLength(drawnKwh.length);
    energy.rows.forEach((row, k) => {
      expect(Math.abs(Number(row.import_kwh) - Number(row.export_kwh) - drawnKwh[k])).toBeLessThan(0.05);
    });
  });
});
