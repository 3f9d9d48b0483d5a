import { relative } from "node:path";
import type { Kpi } from "../accounting/kpis/kpi.ts";
import { type KpiName, type Kpis, kpiOf, kpisShownIn, kpiValue } from "../accounting/kpis/kpiRegistry.ts";
import { isoUtc } from "../base/time.ts";
import type { ScenarioRun } from "../report/runScenario.ts";
import type { Scenario } from "../scenario/scenario.ts";

/** Output of `vppsim run`; a figure that does not apply to the run has no line. */
export function summaryText({ name, world }: Scenario, { record, folder, files }: ScenarioRun): string {
  const sites = `${world.sites.length} ${world.sites.length === 1 ? "site" : "sites"}`;
  const lines = [
    `${name}: ${isoUtc(world.startMs)} to ${isoUtc(world.endMs)}, ${sites}, seed ${world.seed}`,
    "",
    ...figureLines(record.kpis),
    "",
    ...record.warnings.map((warning) => `  warning: ${warning}`),
  ];
  if (folder !== null) lines.push(`  report: ${relative(process.cwd(), folder) || "."} (${files.join(", ")})`);
  return `${lines.join("\n")}\n`;
}

function figureLines(kpis: Kpis): string[] {
  const value = (name: KpiName): number | null => kpiValue(kpis, name);
  const lines: [label: string, text: string][] = [];
  if (has(value("awards_total"))) lines.push(awardsLine(value));
  for (const name of kpisShownIn("terminal")) {
    const kpi = kpiOf(name);
    const figure = value(name);
    if (figure !== null && isApplicable(kpi, value))
      lines.push([lowerLabel(name), `${number(figure, decimalsOf(kpi))} ${kpi.unit}`]);
  }
  lines.push(gridLine(value));
  const width = 2 + Math.max(...lines.map(([label]) => label.length));
  return lines.map(([label, text]) => `  ${label.padEnd(width)}${text}`);
}

type KpiReader = (name: KpiName) => number | null;

const has = (count: number | null): boolean => count !== null && 0 < count;
/** "largest uncovered FCR capacity": only the first letter changes. */
function lowerLabel(name: KpiName): string {
  const { label } = kpiOf(name);
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/** Percentages have at least two decimals, so that 99.96 % does not print as 100 %. */
const decimalsOf = ({ unit, decimals }: Kpi): number => (unit === "%" ? Math.max(2, decimals) : decimals);

function awardsLine(value: KpiReader): [string, string] {
  const parts = (["awards_fully_covered", "awards_refused"] as const).map(
    (name) => `${value(name)} ${lowerLabel(name)}`,
  );
  return [lowerLabel("awards_total"), [value("awards_total"), ...parts].join(", ")];
}

function gridLine(value: KpiReader): [string, string] {
  const names = ["import_kwh", "export_kwh"] as const;
  const texts = names.map((name) => number(value(name) ?? 0, kpiOf(name).decimals));
  return [names.map(lowerLabel).join(" / "), `${texts.join(" / ")} ${kpiOf("import_kwh").unit}`];
}

/** Whether the run has the awards that the figure is based on. */
function isApplicable({ basis }: Kpi, value: KpiReader): boolean {
  switch (basis) {
    case "sites":
    case "prices":
      return true;
    case "awards":
    case "delta awards":
      return has(value("awards_total"));
    case "requested energy":
      return has(value("requested_kwh"));
    case "FCR awards":
      return has(value("fcr_uncovered_kw_max"));
  }
}

/** With thousands separators. */
function number(value: number, decimals: number): string {
  const [whole, fraction] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const sign = value < 0 && Number(value.toFixed(decimals)) !== 0 ? "-" : "";
  return `${sign}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}
