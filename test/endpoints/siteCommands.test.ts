import { describe, expect, test } from "vitest";
import { hexId } from "../../src/base/ids.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import {
  at,
  batterySites,
  consumer,
  eastVpp,
  flat,
  losslessBattery,
  parseAwards,
  parseEvents,
  pv,
  site,
  world,
} from "../simulation/smallWorld.ts";
import { ApiCaller, iso } from "./apiCaller.ts";

const ems = (name: string): string => hexId(`site:${name}`);
const CONTROL = "/control/active_power";

/** Batteries a (member of VPP east) and b, a photovoltaic site, a load of 300 kW that can shed 40 to 60 kW. */
function fleet(given: Partial<WorldSpec> = {}): WorldSpec {
  const load = consumer(flat(300), {
    minDrReductionKw: 40,
    maxDrReductionKw: 60,
    minDrDurationMs: 30 * 60_000,
    minDrCooldownMs: 3_600_000,
  });
  const plant = site("plant", load, { constraints: { ...site("x", load).constraints, siteImportMaxKw: 500 } });
  const narrow = site("narrow", losslessBattery());
  const sites = [
    ...batterySites(100, 200),
    site("sun", pv(flat(50))),
    plant,
    { ...narrow, capability: { ...narrow.capability, marketable: ["rr" as const] } },
  ];
  return world(sites, { vpps: [eastVpp(sites.slice(0, 1), [1])], endMs: at("06:00"), ...given });
}

const caller = (given: Partial<WorldSpec> = {}, clock = "00:10") => new ApiCaller(fleet(given)).advanceTo(clock);
const post = (from: ApiCaller, name: string, body: unknown) => from.call("site-v2", ems(name), "POST", CONTROL, body);
const schedule = (given: object = {}) => ({
  type: "schedule",
  sku: "frr",
  delta_kw: -50,
  start_time: iso("01:00"),
  end_time: iso("02:00"),
  ...given,
});
const immediate = (given: object = {}) => ({ type: "immediate", delta_kw: -50, duration_minutes: 30, ...given });
const id = (n: number, name = "b") => hexId(`1:${ems(name)}:direct:${n}`);

describe("site v2, POST control/active_power", () => {
  test("registers a schedule of the whole site", () => {
    const from = caller();
    expect(post(from, "b", schedule())).toMatchObject({
      status: 200,
      body: {
        ems_id: ems("b"),
        message: "Schedule registered successfully.",
        control_type: "schedule",
        schedule_id: id(0),
        delta_kw: -50,
        baseline_kw: 0,
        sku: "frr",
        start_time: iso("01:00"),
        end_time: iso("02:00"),
        affected_schedules: [
          { schedule_id: id(0), action: "created", start_time: iso("01:00"), end_time: iso("02:00") },
        ],
        timestamp: iso("00:10"),
      },
    });
    expect(from.advanceTo("01:00").world.sites[1].dispatchedDeltaKw).toBe(-50);
    expect(from.advanceTo("02:00").world.sites[1].dispatchedDeltaKw).toBeNull();
  });

  test("a target at the connection point becomes a delta from the baseline", () => {
    const from = caller();
    const { body } = post(from, "b", schedule({ delta_kw: undefined, site_kw: -20, baseline_kw: 30 }));
    expect(body).toMatchObject({ site_kw: -20, baseline_kw: 30 });
    expect(body).not.toHaveProperty("delta_kw");
    expect(from.advanceTo("01:00").world.sites[1].dispatchedDeltaKw).toBe(-50);
  });

  test("a component is named with its kind", () => {
    const { body } = post(caller(), "b", schedule({ component_id: "bat" }));
    expect(body).toMatchObject({ scope: "component", component_id: "bat", component_type: "battery" });
    expect(body).not.toHaveProperty("dispatched_components");
  });

  test("components are listed only for a site that has several", () => {
    for (const body of [schedule(), immediate(), schedule({ sku: "fcr", delta_kw: undefined, fcr_response_kw: 20 })])
      expect(post(caller(), "b", body).body).not.toHaveProperty("dispatched_components");
  });

  test("an immediate instruction is in force at once, and takes precedence over its VPP's", () => {
    const from = caller({ awards: parseAwards("00:05-01:00 -40 frr") });
    expect(from.world.sites[0].dispatchedDeltaKw).toBe(-40);
    expect(post(from, "a", immediate({ delta_kw: 15 })).body).toMatchObject({
      message: "Power control accepted.",
      control_type: "immediate",
      duration_minutes: 30,
    });
    expect(from.world.sites[0].dispatchedDeltaKw).toBe(15);
    expect(from.advanceTo("00:40").world.sites[0].dispatchedDeltaKw).toBe(-40);
  });

  test("out of service: a schedule is registered with a warning, an immediate instruction is refused", () => {
    const from = caller({ events: parseEvents("outage 1 00:05") });
    expect(post(from, "b", schedule()).body).toMatchObject({
      message: "Schedule registered. System failure or under maintenance",
      warning: "system_out_of_service",
    });
    const { status, error } = post(from, "b", immediate());
    expect([status, error.error_type]).toEqual([503, "system_out_of_service"]);
  });

  test.each([
    ["no type", { ...schedule(), type: undefined }, 400, "invalid_parameter", "type"],
    ["an unknown sku", schedule({ sku: "gas" }), 400, "invalid_parameter", "sku"],
    ["an unknown key", schedule({ x: 1 }), 400, "invalid_parameter", "x"],
    ["no amount", schedule({ delta_kw: undefined }), 400, "delta_kw_required", "delta_kw"],
    ["a delta and a target", schedule({ site_kw: 5 }), 400, "invalid_parameter", "site_kw"],
    ["a target beyond the range", schedule({ delta_kw: undefined, site_kw: 1e6 }), 400, "invalid_parameter", "site_kw"],
    [
      "fcr without a width",
      schedule({ sku: "fcr", delta_kw: undefined }),
      400,
      "fcr_response_kw_required",
      "fcr_response_kw",
    ],
    ["fcr with a delta", schedule({ sku: "fcr", fcr_response_kw: 5 }), 400, "delta_kw_not_allowed_for_fcr", "delta_kw"],
    ["FCR capacity for frr", schedule({ fcr_response_kw: 5 }), 400, "fcr_response_kw_not_allowed", "fcr_response_kw"],
    ["no duration", { type: "immediate", delta_kw: 1 }, 400, "invalid_parameter", "duration_minutes"],
    ["no end", schedule({ end_time: undefined }), 400, "invalid_parameter", "end_time"],
    ["a start in 59 s", schedule({ start_time: iso("00:10:59") }), 400, "invalid_parameter", "start_time"],
    ["a duration of 0", immediate({ duration_minutes: 0 }), 400, "invalid_parameter", "duration_minutes"],
    ["a baseline that is a text", schedule({ baseline_kw: "0" }), 400, "invalid_parameter", "baseline_kw"],
    ["a component that is not there", schedule({ component_id: "x" }), 400, "invalid_parameter", "component_id"],
    [
      "a target of a component",
      schedule({ delta_kw: undefined, site_kw: 1, component_id: "bat" }),
      400,
      "invalid_parameter",
      "component_id",
    ],
  ] as const)("refuses %s", (_, body, status, errorType, parameter) => {
    const from = caller();
    const answered = post(from, "b", body);
    expect([answered.status, answered.error.error_type, answered.error.parameter]).toEqual([
      status,
      errorType,
      parameter,
    ]);
    expect(answered.body.ems_id).toBe(ems("b"));
    expect(from.world.sites[1].directSchedules.size).toBe(0);
    expect(from.refusedEvents).toHaveLength(1);
  });

  test.each([
    ["narrow", schedule(), 422, "sku_not_marketable", "sku"],
    ["plant", schedule({ delta_kw: undefined, site_kw: -10 }), 422, "reverse_power_flow_forbidden", "site_kw"],
    ["plant", schedule({ delta_kw: -39.9, baseline_kw: 300 }), 400, "dr_reduction_below_minimum", "delta_kw"],
    ["plant", schedule({ end_time: iso("01:29"), baseline_kw: 300 }), 400, "dr_duration_below_minimum", undefined],
    ["plant", schedule({ sku: "negawatt-spot", baseline_kw: 300 }), 422, "baseline_not_configured", undefined],
  ] as const)("the site %s refuses %#", (name, body, status, errorType, parameter) => {
    const { error } = post(caller(), name, body);
    expect([error.code, error.error_type, error.parameter]).toEqual([status, errorType, parameter]);
  });

  test("a refused reverse power flow states the allowed range", () => {
    const { error } = post(caller(), "plant", schedule({ delta_kw: undefined, site_kw: -10 }));
    expect(error).toMatchObject({ received_value: -10, valid_range: "0 to 500" });
  });

  test("a simultaneous second product and a reduction during the cool-down are refused", () => {
    const from = caller();
    const shed = (sku: string) => post(from, "plant", immediate({ sku, baseline_kw: 300 }));
    expect(shed("rr").status).toBe(200);
    const second = shed("frr").error;
    expect([second.code, second.error_type]).toEqual([409, "dr_duplicate_dispatch"]);
    from.advanceTo("01:39:59");
    const early = shed("rr").error;
    expect([early.code, early.error_type]).toEqual([422, "dr_cooldown_active"]);
    expect(shed("rr").error.required_action).toBe(`Try again from ${iso("01:40")}`);
    from.advanceTo("01:40");
    expect(shed("rr").status).toBe(200);
  });

  const row = (n: number, action: string, start: string, end: string) => ({
    schedule_id: id(n),
    action,
    start_time: iso(start),
    end_time: iso(end),
  });
  test.each([
    ["the same period", ["01:00", "02:00", "frr"], [row(0, "inherited", "01:00", "02:00")]],
    ["another product", ["01:00", "02:00", "rr"], [row(1, "created", "01:00", "02:00")]],
    [
      "its middle",
      ["01:20", "01:40", "frr"],
      [row(0, "split", "01:00", "01:20"), row(1, "created", "01:20", "01:40"), row(2, "created", "01:40", "02:00")],
    ],
    ["its front", ["00:30", "01:30", "frr"], [row(1, "created", "00:30", "01:30"), row(0, "split", "01:30", "02:00")]],
    [
      "all of it",
      ["00:30", "02:30", "frr"],
      [row(1, "created", "00:30", "02:30"), row(0, "deleted", "01:00", "02:00")],
    ],
  ] as const)("over %s", (_, [start, end, sku], rows) => {
    const from = caller();
    post(from, "b", schedule());
    const { body } = post(from, "b", schedule({ start_time: iso(start), end_time: iso(end), sku, delta_kw: -20 }));
    expect(body.affected_schedules).toEqual(rows);
    from.advanceTo(start);
    expect(from.world.sites[1].dispatchedDeltaKw).toBe(sku === "rr" ? -70 : -20);
  });

  test("the pieces of a split run on either side", () => {
    const from = caller();
    post(from, "b", schedule());
    post(from, "b", schedule({ start_time: iso("01:20"), end_time: iso("01:40"), delta_kw: 5 }));
    const dispatchedKw = ["01:00", "01:20", "01:40", "02:00"].map(
      (clock) => from.advanceTo(clock).world.sites[1].dispatchedDeltaKw,
    );
    expect(dispatchedKw).toEqual([-50, 5, -50, null]);
  });

  test("a piece under a minute of its VPP's order is refused", () => {
    const from = caller({ awards: parseAwards("01:00-02:00 -40 frr") });
    const { error } = post(from, "a", schedule({ start_time: iso("01:00:30"), end_time: iso("01:30") }));
    expect([error.code, error.error_type]).toEqual([400, "schedule_split_too_narrow"]);
    expect(from.world.sites[0].directSchedules.size).toBe(0);
  });
});

describe("site v2, DELETE control/active_power/schedules", () => {
  const remove = (from: ApiCaller, scheduleId: string) =>
    from.call("site-v2", ems("b"), "DELETE", `/control/active_power/schedules?schedule_id=${scheduleId}`);

  test("deletes a schedule that starts in a minute", () => {
    const from = caller();
    post(from, "b", schedule());
    expect(remove(from.advanceTo("00:59"), id(0))).toMatchObject({
      status: 200,
      body: { ems_id: ems("b"), message: "Schedule deleted successfully", schedule_id: id(0), timestamp: iso("00:59") },
    });
    expect(from.advanceTo("01:00").world.sites[1].dispatchedDeltaKw).toBeNull();
    expect(remove(from, id(0)).error).toMatchObject({ code: 404, message: "Schedule not found", schedule_id: id(0) });
  });

  test.each([["00:59:01"], ["01:30"], ["02:00"]])("refuses at %s", (clock) => {
    const from = caller();
    post(from, "b", schedule());
    expect(remove(from.advanceTo(clock), id(0)).error).toMatchObject({
      code: 409,
      error_type: "schedule_not_deletable",
      schedule_id: id(0),
      start_time: iso("01:00"),
      current_time: iso(clock),
    });
  });
});

describe("site v1", () => {
  const power = (from: ApiCaller, name: string, body: unknown) =>
    from.call("site-v1", ems(name), "POST", "/control/power", body);
  const planned = (given: object = {}) => ({
    type: "schedule",
    power_kw: -50,
    start_time: iso("01:00"),
    end_time: iso("02:00"),
    ...given,
  });
  const now = (given: object = {}) => ({ type: "immediate", power_kw: -50, duration_minutes: 30, ...given });

  test("POST control/power answers as its document says", () => {
    const from = caller();
    expect(power(from, "b", now({ sku: "rr" })).body).toEqual({
      ems_id: ems("b"),
      message: "Power control accepted",
      control_type: "immediate",
      power_kw: -50,
      baseline_kw: 0,
      sku: "rr",
      timestamp: iso("00:10"),
    });
    expect(from.world.sites[1].dispatchedDeltaKw).toBe(-50);
    expect(power(from, "b", planned({ baseline_kw: 5 })).body).toEqual({
      ems_id: ems("b"),
      message: "Schedule registered",
      control_type: "schedule",
      power_kw: -50,
      baseline_kw: 5,
      start_time: iso("01:00"),
      end_time: iso("02:00"),
      timestamp: iso("00:10"),
    });
  });

  test("status 9: 503 for an immediate instruction, a warning for a schedule", () => {
    const from = caller({ events: parseEvents("outage 1 00:05") });
    expect(power(from, "b", now()).error).toMatchObject({ code: 503, message: "System failure or under maintenance" });
    expect(power(from, "b", planned()).body.message).toBe("Schedule registered. System failure or under maintenance");
  });

  test("more than the rated power is accepted and limited by the device", () => {
    const from = caller();
    expect(power(from, "b", now({ power_kw: -900 })).status).toBe(200);
    const site = from.world.sites[1];
    expect(site.dispatchedDeltaKw).toBe(-900);
  });

  test.each([
    ["no power", { type: "immediate", duration_minutes: 5 }, "power_kw"],
    ["power beyond the range", now({ power_kw: 1e6 }), "power_kw"],
    ["a start with seconds", planned({ start_time: iso("01:00:30") }), "start_time"],
    ["an end with seconds", planned({ end_time: iso("02:00:01") }), "end_time"],
    ["a start within the minute", planned({ start_time: iso("00:10") }), "start_time"],
    ["a sku of v2", now({ sku: "negawatt-spot" }), "sku"],
    ["no duration", { type: "immediate", power_kw: 5 }, "duration_minutes"],
  ])("refuses %s without an error_type", (_, body, parameter) => {
    const { status, error } = power(caller(), "b", body);
    expect([status, error.parameter, error.error_type]).toEqual([400, parameter, undefined]);
    expect(error.message).toMatch(/^Invalid parameter: /);
  });

  test("names the range in its message", () => {
    expect(power(caller(), "b", now({ power_kw: 1e6 })).error.message).toBe(
      "Invalid parameter: power_kw must be between -999999 and 999999",
    );
  });

  const remove = (from: ApiCaller, query: string) =>
    from.call("site-v1", ems("b"), "DELETE", `/control/schedules${query}`);

  test("DELETE control/schedules", () => {
    const from = caller();
    power(from, "b", planned());
    expect(remove(from, "").status).toBe(400);
    expect(remove(from, "?id=nobody").status).toBe(404);
    expect(remove(from, `?id=${id(0)}`).body).toEqual({
      ems_id: ems("b"),
      message: "Schedule deleted successfully",
      schedule_id: id(0),
      timestamp: iso("00:10"),
    });
    power(from, "b", planned());
    expect(remove(from.advanceTo("01:00"), `?id=${id(1)}`).error).toEqual({
      code: 409,
      message: "Schedule cannot be deleted",
      details: "The schedule is running; one that starts in 1 minute or later can be deleted",
      schedule_id: id(1),
      start_time: iso("01:00"),
      current_time: iso("01:00"),
    });
  });
});

test("an unknown site is 404", () => {
  const { status, error } = caller().call("site-v2", "f".repeat(32), "POST", CONTROL, {});
  expect([status, error.error_type]).toEqual([404, "site_not_found"]);
});
