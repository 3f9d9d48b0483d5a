import { describe, expect, test } from "vitest";
import type { ChargersPlanInput } from "../../../src/engine/device/evChargers/planChargers.ts";
import { withSeed } from "../../../src/engine/simulation/worldSpec.ts";
import type { EvChargersModel } from "../../../src/engine/site/components/evChargers/evChargersModel.ts";
import { RowCollector } from "../../accounting/tableRows.ts";
import { runs } from "../../depth.ts";
import { steppedRun } from "../../device/evChargers/stepChargers.ts";
import { runWorld } from "../../runWorld.ts";
import { readScenarioYaml, SCENARIO_HEAD, scenarioErrors } from "../../scenario/scenarioFixtures.ts";

const HOUR = 3_600_000;
const HALF_HOUR = 1_800_000;
const HEADER = "connector,arrival,departure,energy_on_arrival_kwh,energy_wanted_kwh,capacity_kwh,max_kw,two_way";

/** `b` departs in the award without slack, `c` stays too short, `d` is there before the run. */
const SESSIONS = `${HEADER}
1,2026-04-01T00:30:00Z,2026-04-01T09:00:00Z,20,50,60,11,true
2,2026-04-01T01:00:00Z,2026-04-01T05:00:00Z,30,48,60,11,true
3,2026-04-01T02:00:00Z,2026-04-01T03:00:00Z,10,40,50,11,false
1,2026-04-01T10:00:00Z,2026-04-01T20:00:00Z,25,45,60,7,true
4,2026-03-31T20:00:00Z,2026-04-01T08:00:00Z,22,55,75,22,true
`;

interface Fleet {
  readonly dischargeMaxKw: number;
  readonly plan: "on_arrival" | "spread";
  readonly departure: "protected" | "best_effort";
  readonly award: { readonly from: number; readonly to: number; readonly deltaKw: number };
}

const scenarioOf = ({ dischargeMaxKw, plan, departure, award }: Fleet, sessions = SESSIONS) =>
  readScenarioYaml(
    `${SCENARIO_HEAD}sites:
  - name: depot
    components:
      - component_id: cars
        component_type: ev_chargers
        connectors: {count: 4, max_kw: 11, discharge_max_kw: ${dischargeMaxKw}}
        model: {sessions: {file: sessions.csv}, plan: ${plan}, departure: ${departure}}
vpps:
  - name: fleet
    members: [{site: depot, resource_type: ${dischargeMaxKw > 0 ? "battery" : "consumer"}, allocation_weight: 1}]
awards:
  - {vpp: fleet, sku: null, start: ${iso(award.from)}, end: ${iso(award.to)}, delta_kw: ${award.deltaKw}}
`,
    { "sessions.csv": sessions },
  );

const START = Date.UTC(2026, 3, 1);
const iso = (hours: number): string => new Date(START + hours * HOUR).toISOString();

const FLEETS: readonly (readonly [string, Fleet])[] = [
  ["a two-way fleet, less", fleet(11, "on_arrival", "protected", { from: 2.5, to: 5, deltaKw: -12 })],
  ["a two-way fleet, more", fleet(11, "spread", "protected", { from: 3, to: 6, deltaKw: 9 })],
  ["a two-way fleet without protection", fleet(11, "spread", "best_effort", { from: 3, to: 6, deltaKw: -14 })],
  ["a one-way fleet, less", fleet(0, "on_arrival", "protected", { from: 1, to: 3, deltaKw: -11 })],
  ["a one-way fleet, more", fleet(0, "spread", "protected", { from: 11, to: 14, deltaKw: 3 })],
];

function fleet(
  dischargeMaxKw: number,
  plan: Fleet["plan"],
  departure: Fleet["departure"],
  award: Fleet["award"],
): Fleet {
  return { dischargeMaxKw, plan, departure, award };
}

describe("a run with an award against steps of 1 s", () => {
  test.each(FLEETS.slice(-runs(5, 2)))("%s", (_, given) => {
    const { world } = scenarioOf(given);
    const energy = new RowCollector();
    const record = runWorld(world, { intervalMs: HALF_HOUR, energy });
    const spec = world.sites[0].components[0] as EvChargersModel;

    // The reference starts at the first arrival, as a car that is there before the run has followed the plan.
    const fromMs = START - 4 * HOUR;
    const unlimited: Omit<ChargersPlanInput, "startMs" | "setpointKw"> = {
      importLimitKw: Number.POSITIVE_INFINITY,
      exportLimitKw: 4 * given.dischargeMaxKw,
      inService: true,
    };
    const natural = steppedRun(spec, () => ({ ...unlimited, setpointKw: null }), fromMs, world.endMs, HALF_HOUR);
    const slotKw = (atMs: number): number => {
      const k = Math.floor((atMs - fromMs) / HALF_HOUR);
      return 2 * (natural.samples[k + 1].energyKwh - natural.samples[k].energyKwh);
    };
    const { from, to, deltaKw } = given.award;
    const startMs = START + from * HOUR;
    const row = record.awards[0];
    // A baseline is sent in tenths of a kW. What the member had no headroom for is uncovered, and it delivers the rest.
    const setpointKw = Math.round(10 * slotKw(startMs)) / 10 + deltaKw - (row.uncoveredKw ?? 0);
    const inAward = (atMs: number) => startMs <= atMs && atMs < START + to * HOUR;
    const stepped = steppedRun(
      spec,
      (atMs) => ({ ...unlimited, setpointKw: inAward(atMs) ? setpointKw : null }),
      fromMs,
      world.endMs,
      HALF_HOUR,
    );

    const first = (START - fromMs) / HALF_HOUR;
    energy.rows.forEach(({ import_kwh, export_kwh, baseline_kwh, ...others }, k) => {
      const { samples } = stepped;
      const expectedKwh = samples[first + k + 1].energyKwh - samples[first + k].energyKwh;
      const netKwh = Number(import_kwh) - Number(export_kwh);
      expect(Math.abs(netKwh - expectedKwh), JSON.stringify(others)).toBeLessThan(0.03);
      const ownSlot = Math.abs(Number(baseline_kwh) - slotKw(START + k * HALF_HOUR) / 2) < 0.01;
      expect(ownSlot || inAward(START + k * HALF_HOUR)).toBe(true);
    });
    expect(energy.rows).toHaveLength(48);

    const [table] = record.componentTables;
    expect(table.rows).toHaveLength(spec.sessions.length);
    const KEY = ["connector", "arrival", "departure", "onArrival", "wanted", "atDeparture", "unserved"];
    for (const { cells } of table.rows) {
      const at = (key: string) => cells[KEY.indexOf(key)];
      const index = spec.sessions.findIndex(
        (session) =>
          spec.connectors[session.connector].connectorId === at("connector") && session.arrivalMs === at("arrival"),
      );
      expect(Math.abs(Number(at("atDeparture")) - stepped.atDeparture.get(index)!)).toBeLessThan(0.05);
      expect(Number(at("unserved"))).toBeCloseTo(Math.max(0, Number(at("wanted")) - Number(at("atDeparture"))), 5);
    }
    if (given.departure === "protected")
      expect(table.rows.filter(({ cells }) => Number(cells[6]) > 0).map(({ cells }) => cells[0])).toEqual(["3"]);
  });
});

test("without losses the energy through the connection is the energy gain of the cars", () => {
  const given = fleet(11, "spread", "best_effort", { from: 3, to: 6, deltaKw: -14 });
  const { world } = scenarioOf(given, SESSIONS.replace("2026-03-31T20:00:00Z", "2026-04-01T00:00:00Z"));
  const site = world.sites[0];
  const [component] = site.components;
  const lossless = { ...(component as EvChargersModel), chargeEfficiency: 1, dischargeEfficiency: 1 };
  const record = runWorld({ ...world, sites: [{ ...site, components: [lossless] }] }, { intervalMs: HALF_HOUR });
  const gainedKwh = record.componentTables[0].rows.reduce(
    (sum, { cells }) => sum + Number(cells[5]) - Number(cells[3]),
    0,
  );
  const [{ importKwh, exportKwh }] = record.sites;
  expect(exportKwh).toBeGreaterThan(1);
  expect(importKwh - exportKwh).toBeCloseTo(gainedKwh, 2);
});

describe("loading", () => {
  const yaml = (component: string, more = "") => `${SCENARIO_HEAD}sites:
  - name: a
    components: [${component}${more}]
`;
  const chargers = (changes: string) =>
    `{component_id: ev, component_type: ev_chargers, connectors: {count: 2, max_kw: 11}, ${changes}}`;

  test("all errors in a file of sessions are reported at once, with their lines", () => {
    const sessions = `${HEADER}
9,2026-04-01T01:00:00Z,2026-04-01T02:00:00Z,1,2,60,11,false
1,2026-04-01T03:00:00Z,2026-04-01T02:00:00Z,1,2,60,11,false
1,2026-04-01T04:00:00Z,2026-04-01T09:00:00Z,1,61,60,11,false
2,2026-04-01T04:00:00Z,2026-04-01T09:00:00Z,1,2,60,0,false
2,2026-04-01T04:00:00Z,2026-04-01T09:00:00Z,1,2,60,11,false
2,2026-04-01T08:00:00Z,2026-04-01T10:00:00Z,1,2,60,11,false
1,tomorrow,2026-04-01T10:00:00Z,1,2,60,11,false
`;
    const found = scenarioErrors(yaml(chargers("model: {sessions: {file: s.csv}}")), { "s.csv": sessions });
    const places = found.map((message) => message.split(": ").slice(0, 2).join(" ").replace(/:\d+ /, " "));
    expect(places).toEqual([
      "s.csv:2 connector",
      "s.csv:3 departure",
      "s.csv:4 energy_wanted_kwh",
      "s.csv:5 max_kw",
      "s.csv:7 arrival",
      "s.csv:8 arrival",
    ]);
  });

  test.each([
    ["no such file", chargers("model: {sessions: {file: none.csv}}"), "", "file not found"],
    ["frequency response", chargers("fcr_capable: true, model: {sessions: {generator: home}}"), "", "fcr_capable"],
    [
      "a component beside",
      chargers("model: {sessions: {generator: home}}"),
      `, ${chargers("model: {sessions: {generator: home}}").replace("id: ev", "id: ev2")}`,
      "the only component of its site",
    ],
  ])("%s is refused", (_, component, more, text) => {
    expect(scenarioErrors(yaml(component, more)).join("\n")).toContain(text);
  });

  test("generated sessions belong to seed, site, component and connector", () => {
    const component = chargers("model: {sessions: {generator: home, workday_probability: 1}}");
    const { world } = readScenarioYaml(yaml(component));
    const sessionsOf = (spec: typeof world) => (spec.sites[0].components[0] as EvChargersModel).sessions;
    expect(sessionsOf(world).length).toBeGreaterThan(1);
    expect(sessionsOf(withSeed(world, world.seed))).toEqual(sessionsOf(world));
    expect(sessionsOf(withSeed(world, 77))).not.toEqual(sessionsOf(world));
    const wider = readScenarioYaml(yaml(component.replace("count: 2", "count: 5"))).world;
    expect(sessionsOf(wider).filter(({ connector }) => connector < 2)).toEqual(sessionsOf(world));
  });
});
