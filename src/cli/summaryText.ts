import { relative } from "node:path";
import { isoUtc } from "../base/time.ts";
import type { ScenarioRun } from "../report/runScenario.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** What `vppsim run` prints when it is done. */
export function summaryText({ name, world }: Scenario, { record, folder, files }: ScenarioRun): string {
  const kpi = (key: string) => record.kpis.get(key) ?? null;
  const lines = [
    `${name}: ${isoUtc(world.startMs)} to ${isoUtc(world.endMs)}, ${world.sites.length} sites, seed ${world.seed}`,
    "",
    `  awards                ${kpi("awards_total")}, ${kpi("awards_fully_covered")} fully covered, ${kpi("awards_refused")} refused`,
    `  asked                 ${number(kpi("requested_kwh"))} kWh`,
    `  delivered             ${number(kpi("delivered_kwh"))} kWh`,
    `  short                 ${number(kpi("shortfall_kwh"))} kWh`,
    `  delivery              ${number(kpi("delivery_pct"), 2)} %`,
    `  largest uncovered     ${number(kpi("uncovered_kw_max"))} kW`,
    `  availability          ${number(kpi("availability_pct"), 2)} %`,
    `  import / export       ${number(kpi("import_kwh"))} / ${number(kpi("export_kwh"))} kWh`,
    "",
    ...record.warnings.map((warning) => `  warning: ${warning}`),
  ];
  if (folder !== null) lines.push(`  report: ${relative(process.cwd(), folder) || "."} (${files.join(", ")})`);
  return `${lines.join("\n")}\n`;
}

/** Digits in groups of three; "none" where a figure does not apply. */
function number(value: number | null, decimals = 1): string {
  if (value === null) return "none";
  const [whole, fraction] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? "-" : "";
  return `${sign}${grouped}.${fraction}`;
}
