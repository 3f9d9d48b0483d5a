import { relative } from "node:path";
import { isoUtc } from "../base/time.ts";
import type { ScenarioRun } from "../report/runScenario.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** What `vppsim run` prints when it is done; a figure that does not apply to the run has no line. */
export function summaryText({ name, world }: Scenario, { record, folder, files }: ScenarioRun): string {
  const sites = `${world.sites.length} ${world.sites.length === 1 ? "site" : "sites"}`;
  const lines = [
    `${name}: ${isoUtc(world.startMs)} to ${isoUtc(world.endMs)}, ${sites}, seed ${world.seed}`,
    "",
    ...figureLines((key) => record.kpis.get(key) ?? null),
    "",
    ...record.warnings.map((warning) => `  warning: ${warning}`),
  ];
  if (folder !== null) lines.push(`  report: ${relative(process.cwd(), folder) || "."} (${files.join(", ")})`);
  return `${lines.join("\n")}\n`;
}

const LABEL_WIDTH = 22;

function figureLines(kpi: (key: string) => number | null): string[] {
  const lines: string[] = [];
  const add = (label: string, text: string) => lines.push(`  ${label.padEnd(LABEL_WIDTH)}${text}`);
  const addFigure = (label: string, key: string, unit: string, decimals = 1) => {
    const value = kpi(key);
    if (value !== null) add(label, `${number(value, decimals)} ${unit}`);
  };
  if ((kpi("awards_total") ?? 0) > 0) {
    add(
      "awards",
      `${kpi("awards_total")}, ${kpi("awards_fully_covered")} fully covered, ${kpi("awards_refused")} refused`,
    );
    // Frequency response has no energy to deliver.
    if (kpi("delivery_pct") !== null) {
      addFigure("asked", "requested_kwh", "kWh");
      addFigure("delivered", "delivered_kwh", "kWh");
      addFigure("short", "shortfall_kwh", "kWh");
      addFigure("too much", "excess_kwh", "kWh");
      addFigure("delivery", "delivery_pct", "%", 2);
    }
    addFigure("largest uncovered", "uncovered_kw_max", "kW");
    if ((kpi("fcr_uncovered_kw_max") ?? 0) > 0) addFigure("the same of FCR", "fcr_uncovered_kw_max", "kW");
  }
  addFigure("availability", "availability_pct", "%", 2);
  add("import / export", `${number(kpi("import_kwh") ?? 0)} / ${number(kpi("export_kwh") ?? 0)} kWh`);
  return lines;
}

/** Digits in groups of three. */
function number(value: number, decimals = 1): string {
  const [whole, fraction] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? "-" : "";
  return `${sign}${grouped}.${fraction}`;
}
