import { isoUtc, MS_PER_DAY, MS_PER_HALF_HOUR } from "../src/base/time.ts";
import { RandomStreams } from "../src/engine/kernel/randomStreams.ts";
import { awardPatternKw } from "../src/inputs/datagen/awardPattern.ts";
import { rowsCsv } from "../src/inputs/datagen/csvText.ts";
import type { GeneratedFiles } from "../src/inputs/datagen/disk/writeFiles.ts";
import { JST_OFFSET_MS } from "../src/inputs/datagen/timeGrid.ts";

const START_MS = Date.UTC(2025, 2, 31, 15);

/** Batteries of 1 MW and 2 MWh, and an award for every half hour: the workload for the speed of studies. */
export function batteryYearFiles(days: number, members = 10): GeneratedFiles {
  const scale = members / 10;
  const grid = {
    startMs: START_MS,
    endMs: START_MS + days * MS_PER_DAY,
    stepMs: MS_PER_HALF_HOUR,
    utcOffsetMs: JST_OFFSET_MS,
  };
  const pattern = {
    name: "batteries",
    amplitudeKw: 2_600 * scale,
    amplitudeSpreadKw: 800 * scale,
    offsetKw: -100 * scale,
    noiseKw: 400 * scale,
    minKw: 50 * scale,
    maxKw: 4_200 * scale,
  };
  const deltasKw = awardPatternKw(grid, pattern, new RandomStreams(2026));
  const rows = Array.from(deltasKw, (deltaKw, k) => {
    const startMs = grid.startMs + k * grid.stepMs;
    return ["fleet", "frr", isoUtc(startMs), isoUtc(startMs + grid.stepMs), deltaKw.toFixed(1)];
  });
  return new Map<string, string | Uint8Array>([
    ["awards.csv", rowsCsv(["vpp", "sku", "start", "end", "delta_kw"], rows)],
    ["scenario.yaml", scenario(isoUtc(grid.startMs), isoUtc(grid.endMs), members)],
  ]);
}

const scenario = (start: string, end: string, members: number): string => `version: 1
name: battery-year
start: ${start}
end: ${end}
sites:
  - name: bat-{n:02}
    count: ${members}
    components:
      - component_id: bat
        component_type: battery
        rated_cap: 2000
        import_pwr_max: 1000
        export_pwr_max: 1000
        soc_op_min: 10
        soc_op_max: 90
    outages: {mtbf: P30D, mttr: PT4H}
vpps:
  - {name: fleet, members: [{site: "bat-*", resource_type: battery}]}
awards:
  - {file: awards.csv}
`;
