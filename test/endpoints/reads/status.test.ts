// VPP API: Status (summary), Status (details), GET members; site API 2.2: Status, Specifications; site API 1.13: Status record.
import { describe, expect, test } from "vitest";
import type { VppDetails, VppStatus } from "../../../src/api/endpoints/schemas/vppSchemas.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import {
  at,
  consumer,
  eastVpp,
  flat,
  losslessBattery,
  parseAwards,
  parseEvents,
  pumped,
  pv,
  site,
  thermal,
  world,
} from "../../simulation/smallWorld.ts";
import { callApi, contextAt, type ReadContext } from "./readContext.ts";

const fixed = (kw: number) => ({ baseline: { method: "constant", kw } }) as const;
const bat = () => site("bat", losslessBattery({ fcrCapable: true }));
const sun = () => site("sun", pv(flat(400), { irradianceWm2: flat(812.34) }), fixed(-400));
const gas = () => site("gas", thermal({ minOutputKw: 100 }), fixed(-300));
const load = () => site("load", consumer(flat(600), { contractKw: 800 }), { baseline: { method: "perfect" } });
const both = (): SiteSpec => {
  const made = site("both", losslessBattery({ componentId: "bat" }), fixed(250));
  const components = [
    ...made.components,
    pv(flat(50), { componentId: "pv" }),
    consumer(flat(300), { componentId: "load" }),
  ];
  return { ...made, components, capability: { ...made.capability, drCapable: true } };
};

function east(sites: readonly SiteSpec[], clock: string, given: Partial<WorldSpec> = {}): ReadContext {
  return contextAt(
    world(sites, {
      vpps: [
        eastVpp(
          sites,
          sites.map(() => 100),
        ),
      ],
      ...given,
    }),
    at(clock),
  );
}

const status = (host: ReadContext) => callApi<VppStatus>(host, "vpp-v1", "GET /status").body;
const details = (host: ReadContext, query = {}) =>
  callApi<VppDetails>(host, "vpp-v1", "GET /status/details", { query }).body;
const keysOf = (record: object) => Object.keys(record).sort().join(" ");

describe("summary status", () => {
  const COMMON =
    "baseline_kw current_kw delta_kw dispatched_delta_kw ems_id fcr_active has_warning measure_timestamp status";

  test.each([
    [
      "battery",
      bat(),
      "export_energy_available export_power_available import_energy_available import_power_available output_control_limit",
    ],
    ["generator", sun(), "export_power_available output_control_limit"],
    ["dispatchable generator", gas(), "export_power_available output_control_limit"],
    ["consumer", load(), "dr_active import_power_available"],
    [
      "multi_component",
      both(),
      "dr_active export_energy_available export_power_available import_energy_available import_power_available output_control_limit",
    ],
  ])("a %s shows the keys of its kind, others are left out (54, 146)", (_, spec, more) => {
    const host = east([spec], "00:10");
    const keys = `${COMMON} ${more}`.split(" ").sort();
    expect(keysOf(status(host).members[0])).toBe(keys.join(" "));
    // The site API has the same keys, and a timestamp of its own.
    const own = callApi<object>(host, "site-v2", "GET /status").body;
    expect(keysOf(own)).toBe([...keys, "timestamp"].sort().join(" "));
  });

  test("sums members in service (53, 55)", () => {
    const body = status(east([bat(), sun(), load(), gas()], "00:10", { awards: parseAwards("00:00-01:00 -90 frr") }));
    // Shares of 30 each for battery, PV plant and load, with a set-point of -430 of 400; the plant moves from -300 to
    // -322.5.
    const dispatchedKw = body.members.map(({ dispatched_delta_kw }) => dispatched_delta_kw);
    expect(dispatchedKw).toEqual([-22.5, 0, -22.5, -22.5]);
    expect(body).toMatchObject({
      status: 0,
      current_kw: -22.5 - 400 + 577.5 - 322.5,
      baseline_kw: 0 - 400 + 600 - 300,
      delta_kw: -67.5,
      dispatched_delta_kw: -67.5,
      import_power_available: 500,
      export_power_available: 500 + 400 + 1000,
      // 22.5 kW for 10 minutes out of 500 kWh.
      export_energy_available: 496.3,
      import_energy_available: 503.8,
      fcr_active: 0,
      dr_active: 1,
      has_warning: 0,
      timestamp: "2026-04-01T00:10:00Z",
    });
    for (const key of ["active_sku", "resource_type", "label", "soc", "fcr_response_kw", "components"])
      expect(body).not.toHaveProperty(key);
  });

  test("a member out of service (status 9): nulls, no headroom, a warning, the last measurement", () => {
    const events = parseEvents("outage 0 00:05:30-00:20");
    const [out, rest] = status(
      east(
        [bat(), bat()].map((s, k) => ({ ...s, name: `b${k}`, emsId: `${k}`.repeat(32) })),
        "00:10",
        { events },
      ),
    ).members;
    expect(out).toMatchObject({
      status: 9,
      current_kw: null,
      delta_kw: null,
      dispatched_delta_kw: null,
      import_energy_available: 0,
      export_energy_available: 0,
      import_power_available: 0,
      export_power_available: 0,
      has_warning: 1,
      measure_timestamp: "2026-04-01T00:05:30Z",
    });
    expect(rest).toMatchObject({ status: 0, has_warning: 0, measure_timestamp: "2026-04-01T00:10:00Z" });
  });

  test("a VPP without members in service (139), and one without members", () => {
    const nobody = {
      status: 9,
      current_kw: 0,
      baseline_kw: 0,
      delta_kw: 0,
      dispatched_delta_kw: null,
      import_power_available: 0,
    };
    expect(status(east([bat()], "00:10", { events: parseEvents("outage 0 00:05") }))).toMatchObject({
      ...nobody,
      has_warning: 1,
    });
    const empty = east([bat()], "00:10", { vpps: [eastVpp([], [])] });
    expect(status(empty)).toMatchObject({ ...nobody, has_warning: 0, members: [] });
    expect(callApi(empty, "vpp-v1", "GET /members")).toMatchObject({
      status: 200,
      body: { members: [], total_count: 0 },
    });
  });

  test("a link outage freezes the measurements, not the status or the last set-point (108)", () => {
    const given = {
      awards: parseAwards("00:00-01:00 -120 frr"),
      events: parseEvents("link_down 0 00:20-00:50", "outage 0 00:40-00:45"),
    };
    const frozen = { measure_timestamp: "2026-04-01T00:20:00Z", export_energy_available: 460 };
    expect(status(east([bat()], "00:30", given)).members[0]).toMatchObject({ ...frozen, status: 0, current_kw: -120 });
    expect(status(east([bat()], "00:42", given)).members[0]).toMatchObject({
      status: 9,
      current_kw: null,
      measure_timestamp: "2026-04-01T00:20:00Z",
    });
    const back = status(east([bat()], "00:55", given)).members[0];
    expect(back.measure_timestamp).toBe("2026-04-01T00:55:00Z");
    // The site's own API is unaffected by the link.
    const own = callApi(east([bat()], "00:30", given), "site-v2", "GET /status").body;
    expect(own).toMatchObject({ measure_timestamp: "2026-04-01T00:30:00Z", export_energy_available: 440 });
  });

  test("an empty battery with an instruction has a warning and stays in service (9)", () => {
    const small = site("bat", losslessBattery({ ratedCapKwh: 100 }));
    const host = east([small], "00:40", { awards: parseAwards("00:00-01:00 -100 frr") });
    expect(status(host)).toMatchObject({
      status: 0,
      has_warning: 1,
      members: [{ current_kw: 0, dispatched_delta_kw: -100 }],
    });
    expect(callApi(host, "site-v1", "GET /status").body).toMatchObject({ status: 1, soc: 0 });
    expect(status(east([small], "01:10", { awards: parseAwards("00:00-01:00 -100 frr") })).has_warning).toBe(0);
  });

  test("reading changes nothing: the record does not depend on the number of reads", () => {
    const spec = world([bat(), load()], {
      vpps: [eastVpp([bat(), load()], [1, 1])],
      awards: parseAwards("00:00-01:00 -120 frr"),
    });
    const [readWorld, unreadWorld] = [contextAt(spec, at("00:00")), contextAt(spec, at("00:00"))];
    for (let minute = 1; minute < 90; minute++) {
      readWorld.world.runThrough(at("00:00") + minute * 60_000 + 123);
      for (const path of ["/status", "/status/details"]) callApi(readWorld, "vpp-v1", `GET ${path}`);
    }
    unreadWorld.world.runThrough(readWorld.world.nowMs);
    expect(status(readWorld)).toEqual(status(unreadWorld));
    expect(readWorld.history.pastSite(1).registersAt(readWorld.world.nowMs)).toEqual(
      unreadWorld.history.pastSite(1).registersAt(unreadWorld.world.nowMs),
    );
  });
});

describe("status in blocks", () => {
  test.each([
    ["battery", bat(), "soc", { output_control_limit: 100, output_control_reason: null }, 500],
    [
      "generator",
      sun(),
      "irradiance_w_m2",
      { output_control_limit: 30, output_control_reason: "non_firm_congestion" },
      0,
    ],
    ["thermal plant", gas(), "", { output_control_limit: 30, output_control_reason: "non_firm_congestion" }, 0],
    [
      "consumer",
      load(),
      "dr_active dr_actual_reduction_kw dr_target_reduction_kw",
      { output_control_limit: null, output_control_reason: null },
      0,
    ],
  ])(
    "of a %s: the state of its kind, 0 kW and null kWh where nothing applies (159)",
    (kind, spec, state, power, importKw) => {
      const events =
        kind === "battery" || kind === "consumer"
          ? []
          : parseEvents("output_control 0 00:05 30 non_firm_congestion", "output_control 0 00:06 80 manual");
      const [member] = details(east([spec], "00:10", { events })).members;
      expect(keysOf(member)).toBe(
        "active_power active_sku allocation_weight capacity ems_id has_warning label last_dispatch_status measure_timestamp resource_state status",
      );
      expect(keysOf(member.resource_state)).toBe(state);
      expect(member.active_power).toMatchObject(power);
      expect(member.capacity.import_power_available).toBe(importKw);
      expect(member.capacity.import_energy_available === null).toBe(kind !== "battery");
      expect(member.last_dispatch_status).toBeNull();
    },
  );

  test("of a load that is reduced", () => {
    const host = east([load()], "00:10", { awards: parseAwards("00:00-01:00 -120 negawatt-spot") });
    const [member] = details(host).members;
    expect(member).toMatchObject({
      active_sku: "negawatt-spot",
      last_dispatch_status: "dispatched",
      resource_state: { dr_active: 1, dr_target_reduction_kw: 120, dr_actual_reduction_kw: 120 },
    });
    // The site's own capacity has only the applicable keys, and its import is the contract (4).
    const own = callApi<{ capacity: object }>(host, "site-v2", "GET /status/details").body;
    expect(own.capacity).toEqual({ import_power_available: 800 });
    expect(own).toMatchObject({ last_dispatch_status: "dispatched", resource_state: { dr_active: 1 } });
  });

  const two = (k: number) => ({ ...bat(), name: `b${k}`, emsId: `${k}`.repeat(32) });
  test.each([
    ["none", [], [0, 0], null, null],
    ["the same", ["00:00-01:00 -100 frr"], [1, 1], "frr", null],
    ["one without (56)", ["00:00-01:00 -100 frr"], [1, 0], "mixed", null],
    ["two side by side at each", ["00:00-01:00 -100 frr", "00:00-01:00 -60 rr"], [1, 1], "mixed", null],
    ["frequency response", ["00:00-01:00 ~100 fcr"], [1, 1], "fcr", 100],
    ["frequency response at one: no FCR capacity while mixed (146)", ["00:00-01:00 ~100 fcr"], [1, 0], "mixed", null],
  ])("the product of the VPP: %s", (_, awards, weights, activeSku, fcrCapacityKw) => {
    const sites = [two(0), two(1)];
    const host = east(sites, "00:10", {
      awards: parseAwards(...awards),
      vpps: [eastVpp(sites, weights)],
      frequencyHz: 50,
    });
    expect(details(host)).toMatchObject({ active_sku: activeSku, active_power: { fcr_response_kw: fcrCapacityKw } });
  });

  test("in frequency response there is a delta and none dispatched (57), until the device fails (58)", () => {
    const given = { awards: parseAwards("00:00-01:00 ~100 fcr"), frequencyHz: 49.9 };
    // 500 kW · (0.1 − 0.01) / 50 / 5 % = 18 kW.
    const on = status(east([bat()], "00:10", given));
    expect(on).toMatchObject({ fcr_active: 1, delta_kw: -18, dispatched_delta_kw: null });
    const events = [{ kind: "fcr_fault", site: 0, atMs: at("00:05"), untilMs: at("00:30"), settled: false }] as const;
    const off = details(east([bat()], "00:10", { ...given, events }));
    expect(off).toMatchObject({
      active_sku: "fcr",
      active_power: { fcr_active: 0, delta_kw: 0, fcr_response_kw: 100 },
    });
  });

  test("last_dispatch_status remains after the end (59) and covers skipped members", () => {
    const sites = [two(0), two(1)];
    const host = east(sites, "02:00", { awards: parseAwards("00:00-01:00 -100 frr"), vpps: [eastVpp(sites, [1, 0])] });
    expect(details(host).members.map(({ last_dispatch_status }) => last_dispatch_status)).toEqual([
      "dispatched",
      "skipped_weight_zero",
    ]);
    expect(details(host).active_power.dispatched_delta_kw).toBeNull();
  });

  test("components are listed only for a site of several, and only on request (71)", () => {
    const host = east([both(), bat()], "00:10");
    for (const member of details(host).members) expect(member).not.toHaveProperty("components");
    const [several, one] = details(host, { include_components: "true" }).members;
    expect(one).not.toHaveProperty("components");
    expect(
      several.components?.map(({ component_id, active_power }) => [component_id, active_power.current_kw]),
    ).toEqual([
      ["bat", 0],
      ["pv", -50],
      ["load", 300],
    ]);
    expect(callApi(host, "vpp-v1", "GET /status", { query: { include_components: "perhaps" } }).status).toBe(200);
    expect(callApi(host, "vpp-v1", "GET /status/details", { query: { include_components: "perhaps" } }).status).toBe(
      400,
    );
    const own = callApi<{ resource_state: { components: object[] } }>(host, "site-v2", "GET /status/details").body;
    expect(own.resource_state.components).toHaveLength(3);
  });
});

describe("the description of a site", () => {
  test.each([
    [
      "battery",
      bat(),
      "component_id component_type export_pwr_max fcr_capable import_pwr_max rated_cap soc_op_max soc_op_min",
    ],
    ["pv", sun(), "component_id component_type fcr_capable generator_kind pv_capacity_kw rated_output_kw"],
    ["thermal", gas(), "component_id component_type fcr_capable generator_kind min_output_kw rated_output_kw"],
    [
      "pumped storage",
      site("p", pumped()),
      "component_id component_type fcr_capable generator_kind min_output_kw pump_input_max_kw rated_output_kw upper_reservoir_capacity_kwh",
    ],
    [
      "consumer",
      load(),
      "component_id component_type consumer_kind contract_kw dr_capable fcr_capable max_demand_kw max_dr_reduction_kw min_dr_cooldown_minutes min_dr_duration_minutes min_dr_reduction_kw",
    ],
  ])("specifications of a %s", (_, spec, keys) => {
    const body = callApi<{ components: object[]; site_constraints: object }>(
      east([spec], "00:10"),
      "site-v2",
      "GET /specifications",
    ).body;
    expect(keysOf(body.components[0])).toBe(keys);
    // Nothing is null: what the scenario does not state is left out.
    expect(JSON.stringify(body)).not.toContain("null");
  });

  test("v1 shows a site without a battery as one of 0 kWh (138)", () => {
    const host = east([sun()], "00:10", { events: parseEvents("outage 0 00:05") });
    expect(callApi(host, "site-v1", "GET /specifications").body).toMatchObject({
      rated_cap: 0,
      chg_pwr_max: 0,
      dis_pwr_max: 1000,
    });
    expect(callApi(host, "site-v1", "GET /status").body).toMatchObject({
      status: 9,
      current_kw: 0,
      soc: 0,
      charge_capacity_available: 0,
      output_control_limit: 100,
    });
  });
});
