import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Kpi, NumericKpi } from "../../src/accounting/kpis/kpi.ts";
import { KPI_NAMES, KPI_REGISTRY, kpiOf, kpisShownIn, kpiValue } from "../../src/accounting/kpis/kpiRegistry.ts";
import { type TextKey, textOf } from "../../src/texts/catalogue.ts";

const registry: readonly Kpi[] = KPI_REGISTRY;
const numeric: readonly NumericKpi[] = KPI_REGISTRY.filter((kpi) => kpi.kind === "number");

const labelOf = ({ name }: Kpi): string => textOf("en", `kpi.${name}.label` as TextKey);

/** Cells of the rows of the table of key figures in docs/model/accounting.md. */
function documentedRows(): string[][] {
  const text = readFileSync(new URL("../../docs/model/accounting.md", import.meta.url), "utf8");
  const section = text.slice(text.indexOf('<a id="kpis">'));
  const table = section.slice(section.indexOf("\n|---"), section.indexOf("\n\n", section.indexOf("\n|---")));
  const cells = (row: string) => row.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return table
    .trim()
    .split("\n")
    .slice(1)
    .map((row) => cells(row).slice(1, -1));
}

describe("every key figure", () => {
  test("has a unique name", () => expect(new Set(KPI_NAMES).size).toBe(registry.length));

  test("has a unique label", () => expect(new Set(registry.map(labelOf)).size).toBe(registry.length));

  test("is documented in this order with its label, unit and direction", () =>
    expect(documentedRows().map((row) => row.slice(0, 4))).toEqual(
      registry.map((kpi) => [
        `\`${kpi.name}\``,
        labelOf(kpi),
        kpi.kind !== "number" || kpi.unit === "" ? "–" : kpi.unit,
        kpi.kind !== "number" || kpi.direction === "neutral" ? "–" : kpi.direction,
      ]),
    ));

  test.each(numeric)("$name: unit as in the name, a sentence, decimals, a rule that fits its places", (kpi) => {
    const { name, unit, decimals, direction, shows } = kpi;
    const units = {
      kW: /_kw(_max|_peak)?$/,
      kWh: /_kwh$/,
      "%": /_pct$/,
      JPY: /_jpy$/,
      currency: /^settled_/,
      a: /_years$/,
      "": /(?<!_kwh?|_pct|_jpy|_max|_peak)$/,
    };
    expect(name).toMatch(units[unit]);
    expect(textOf("en", `kpi.${name}.meaning` as TextKey)).toMatch(/^[A-Z].*\.$/);
    expect([0, 1, 2, 3]).toContain(decimals);
    expect(shows.sideEffect && direction === "neutral").toBe(false);
  });
});

test.each(["headline", "terminal"] as const)("figures of the %s have a rank each", (place) => {
  const ranks = kpisShownIn(place).map((name) => kpiOf(name).shows[place]);
  expect(ranks.length).toBeGreaterThan(5);
  expect(new Set(ranks).size).toBe(ranks.length);
  expect(ranks).toEqual([...ranks].sort((a, b) => (a ?? 0) - (b ?? 0)));
});

test("a figure that a run does not have is a bug, not an empty cell", () =>
  expect(() => kpiValue(new Map([["import_kwh", 1]]), "export_kwh")).toThrow(/export_kwh/));
