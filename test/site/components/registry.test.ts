import { describe, expect, test } from "vitest";
import { isNumericKpiName } from "../../../src/accounting/kpis/kpiRegistry.ts";
import { COMPONENT_KINDS } from "../../../src/engine/site/components/registry.ts";
import type { ComponentKeys } from "../../../src/engine/site/components/scenarioFacet.ts";
import { readScenarioYaml, SMALL_SCENARIO } from "../../scenario/scenarioFixtures.ts";

type Choice = { readonly const?: string; readonly enum?: readonly string[] };

/** Every value of the keys that tell the forms of a component apart. */
const discriminatingKeys = Object.values(COMPONENT_KINDS).flatMap(({ name, scenario }) =>
  scenario.schemas.flatMap((schema) => {
    const { component_type, generator_kind } = (schema as { properties: Record<string, Choice> }).properties;
    const choices = generator_kind === undefined ? [undefined] : valuesOf(generator_kind);
    return choices.map((choice) => ({
      name,
      keys: { component_type: component_type.const, generator_kind: choice } as unknown as ComponentKeys,
    }));
  }),
);

function valuesOf({ const: only, enum: several }: Choice): readonly string[] {
  return several ?? (only === undefined ? [] : [only]);
}

describe("tables that kinds add to a report", () => {
  const tables = Object.values(COMPONENT_KINDS).flatMap(
    ({ table }: { readonly table?: { readonly stem: string; readonly kpis: readonly { readonly name: string }[] } }) =>
      table === undefined ? [] : [table],
  );

  test("have key figures of the registry", () => {
    const names = tables.flatMap(({ kpis }) => kpis.map(({ name }) => name));
    expect(names).toEqual(["state_of_health_min_pct", "lost_capacity_kwh", "unserved_departures", "unserved_kwh"]);
    expect(names.filter((name) => !isNumericKpiName(name))).toEqual([]);
  });

  test("may be left out of a report", () => {
    const stems = tables.map(({ stem }) => stem);
    const { report } = readScenarioYaml(`${SMALL_SCENARIO}report: {omit: [${stems.join(", ")}]}\n`);
    expect(report.omit).toEqual(["battery_ageing", "ev_sessions"]);
  });
});

describe("the registry of component kinds", () => {
  test("names each kind as its table does", () => {
    for (const [name, kind] of Object.entries(COMPONENT_KINDS)) expect(kind.name).toBe(name);
  });

  test.each(discriminatingKeys)("finds $name alone for $keys", ({ name, keys }) => {
    const matching = Object.values(COMPONENT_KINDS).filter(({ scenario }) => scenario.matches(keys));
    expect(matching.map((kind) => kind.name)).toEqual([name]);
  });

  test("has a form for every generator kind", () =>
    expect(discriminatingKeys.map(({ keys }) => Object.values(keys).filter(Boolean).join(" ")).sort()).toEqual([
      "battery",
      "consumer",
      "ev_chargers",
      "generator biomass",
      "generator hydro",
      "generator other",
      "generator pumped_storage",
      "generator pv",
      "generator thermal",
      "generator wind",
    ]));
});
