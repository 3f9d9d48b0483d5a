import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { VppOptions } from "../../src/engine/vpp/vppSpec.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { formatFixed } from "../../src/report/html/page/format.ts";
import { runWorld } from "../runWorld.ts";

const VARIANTS: readonly (readonly [string, Partial<VppOptions>])[] = [
  ["by power", { deltaExcess: "uncovered", isEnergyAware: false }],
  ["by power, excess to others", { deltaExcess: "redistribute", isEnergyAware: false }],
  ["by energy", { deltaExcess: "uncovered", isEnergyAware: true }],
];

/** A row of the table in docs/model/allocation.md#energy-aware. */
function rowOf(scenario: string, [name, options]: (typeof VARIANTS)[number]): string {
  const { world, report } = loadScenario(`scenarios/${scenario}.yaml`);
  const vpps = world.vpps.map((vpp) => ({ ...vpp, options: { ...vpp.options, ...options } }));
  const { kpis } = runWorld({ ...world, vpps }, { intervalMs: report.intervalMs });
  const cell = (kpi: string, decimals: number): string => formatFixed(Number(kpis.get(kpi as never)), decimals);
  return `| \`${scenario}\` | ${name} | ${cell("shortfall_kwh", 1)} | ${cell("uncovered_kwh", 1)} | ${cell("delivery_pct", 2)} | ${cell("awards_met", 0)} |`;
}

test("the table of dispatch by power and by energy is what the scenarios give", () => {
  const text = readFileSync("docs/model/allocation.md", "utf8");
  const rows = ["features/energy-aware", "quickstart/scenario", "mixed-week/scenario"].flatMap((scenario) =>
    VARIANTS.map((variant) => rowOf(scenario, variant)),
  );
  expect(text).toContain(rows.join("\n"));
});
