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
  vpp,
  world,
} from "../simulation/smallWorld.ts";
import { ApiCaller, iso } from "./apiCaller.ts";

const VPP = hexId("vpp:east");
const ems = (name: string): string => hexId(`site:${name}`);
const baselines = (...names: readonly string[]) => names.map((name) => ({ ems_id: ems(name), baseline_kw: 0 }));
const CONTROL = "/control/active_power";
const SCHEDULES = "/control/active_power/schedules";

/** Batteries a 100 kW and b 200 kW in VPP east with weights 100 and 300; site c outside, site d in VPP west. */
function fleet(given: Partial<WorldSpec> = {}): WorldSpec {
  const sites = [
    ...batterySites(100, 200, 300),
    site("d", losslessBattery({ importMaxKw: 50, exportMaxKw: 50 })),
    site("plant", consumer(flat(300), { maxDrReductionKw: 60 })),
  ];
  const east = eastVpp(sites.slice(0, 2), [100, 300]);
  return world(sites, { vpps: [east, vpp("west", sites, [[3, 1]])], endMs: at("06:00"), ...given });
}

const caller = (given: Partial<WorldSpec> = {}, clock = "00:10") => new ApiCaller(fleet(given)).advanceTo(clock);
const post = (from: ApiCaller, body: unknown) => from.call("vpp-v1", VPP, "POST", CONTROL, body);

const schedule = (given: object = {}) => ({
  type: "schedule",
  sku: "frr",
  delta_kw: -100,
  start_time: iso("01:00"),
  end_time: iso("02:00"),
  member_baselines: baselines("a", "b"),
  ...given,
});
const immediate = (given: object = {}) => ({
  type: "immediate",
  delta_kw: -100,
  duration_minutes: 30,
  member_baselines: baselines("a", "b"),
  ...given,
});
/** Without a delta, as for frequency response alone. */
const fcrSchedule = (given: object = {}) => ({
  ...schedule({ sku: "fcr", fcr_response_kw: 30, ...given }),
  delta_kw: undefined,
});
const compound = (breakdown: object | undefined, given: object = {}) =>
  schedule({ sku: "compound", compound_breakdown: breakdown, ...given });

describe("POST control/active_power, schedule", () => {
  test("answers with the plan for each member", () => {
    const { status, body } = post(caller(), schedule({ delta_kw: -100.04 }));
    expect(status).toBe(200);
    const id = hexId(`1:${VPP}:schedule:0`);
    expect(body).toEqual({
      vpp_id: VPP,
      message: "Schedule registered successfully.",
      control_type: "schedule",
      delta_kw: -100,
      fcr_response_kw: null,
      compound_breakdown: null,
      uncovered_kw: 0,
      sku: "frr",
      schedule_id: id,
      start_time: iso("01:00"),
      end_time: iso("02:00"),
      affected_schedules: [{ schedule_id: id, action: "created", start_time: iso("01:00"), end_time: iso("02:00") }],
      members: [
        {
          ems_id: ems("a"),
          label: "",
          allocation_weight: 100,
          fcr_response_kw: null,
          baseline_kw: 0,
          delta_kw: -25,
          compound_breakdown: null,
          dispatch_status: "pending",
          skip_reason: null,
        },
        {
          ems_id: ems("b"),
          label: "",
          allocation_weight: 300,
          fcr_response_kw: null,
          baseline_kw: 0,
          delta_kw: -75,
          compound_breakdown: null,
          dispatch_status: "pending",
          skip_reason: null,
        },
      ],
      timestamp: iso("00:10"),
    });
  });

  test.each([
    // 400 kW by 1:3 is 100 and 300; b is limited to 200 and the rest is uncovered.
    ["beyond what members can", schedule({ delta_kw: -400 }), [-100, -200], -100, []],
    [
      "above baselines that differ",
      schedule({
        delta_kw: 100,
        member_baselines: [
          { ems_id: ems("a"), baseline_kw: 90 },
          { ems_id: ems("b"), baseline_kw: 0 },
        ],
      }),
      [10, 75],
      15,
      [],
    ],
    ["with one out of service", schedule(), [null, -100], 0, ["outage 0 00:05"]],
    [
      "with one out of service and no baseline for it",
      schedule({ member_baselines: baselines("b") }),
      [null, -100],
      0,
      ["outage 0 00:05"],
    ],
    ["with one of weight 0", schedule(), [null, -100], 0, ["set_weight 0 00:05 0"]],
  ] as const)("%s", (_, body, deltas, uncovered, events) => {
    const answered = post(caller({ events: parseEvents(...events) }), body).body;
    expect((answered.members as { delta_kw: number | null }[]).map(({ delta_kw }) => delta_kw)).toEqual(deltas);
    expect(answered.uncovered_kw).toBe(uncovered);
  });

  test("shows why a member would be skipped", () => {
    const from = caller({ events: parseEvents("outage 0 00:05", "set_weight 1 00:05 0") });
    from.call("vpp-v1", VPP, "POST", "/members", { ems_id: ems("plant"), resource_type: "consumer" });
    const { body } = post(from, schedule({ delta_kw: 10, member_baselines: baselines("a", "b", "plant") }));
    expect((body.members as { dispatch_status: string }[]).map((member) => member.dispatch_status)).toEqual([
      "skipped_out_of_service",
      "skipped_weight_zero",
      "skipped_incompatible",
    ]);
    expect(body.uncovered_kw).toBe(10);
  });

  test("is executed as registered, until its end", () => {
    const from = caller();
    post(from, schedule());
    from.advanceTo("01:00");
    expect(from.world.sites[1].dispatchedDeltaKw).toBe(-75);
    from.advanceTo("02:00");
    expect(from.world.sites[1].dispatchedDeltaKw).toBeNull();
  });

  const row = (id: string, action: string, start: string, end: string) => ({
    schedule_id: id,
    action,
    start_time: iso(start),
    end_time: iso(end),
  });
  const ids = (n: number) => hexId(`1:${VPP}:schedule:${n}`);

  test.each([
    ["the same period", ["01:00", "02:00", "frr"], [row(ids(0), "inherited", "01:00", "02:00")]],
    ["the same period without a sku", ["01:00", "02:00", null], [row(ids(0), "inherited", "01:00", "02:00")]],
    ["the same period, another product", ["01:00", "02:00", "rr"], [row(ids(1), "created", "01:00", "02:00")]],
    [
      "its middle",
      ["01:20", "01:40", "frr"],
      [
        row(ids(0), "split", "01:00", "01:20"),
        row(ids(1), "created", "01:20", "01:40"),
        row(ids(2), "created", "01:40", "02:00"),
      ],
    ],
    [
      "its front",
      ["00:30", "01:30", "frr"],
      [row(ids(1), "created", "00:30", "01:30"), row(ids(0), "split", "01:30", "02:00")],
    ],
    [
      "all of it",
      ["00:30", "02:30", "frr"],
      [row(ids(1), "created", "00:30", "02:30"), row(ids(0), "deleted", "01:00", "02:00")],
    ],
    ["its neighbour", ["02:00", "02:30", "frr"], [row(ids(1), "created", "02:00", "02:30")]],
  ] as const)("over %s", (_, [start, end, sku], rows) => {
    const from = caller();
    post(from, schedule());
    const { body } = post(from, schedule({ start_time: iso(start), end_time: iso(end), sku }));
    expect(withIdsInOrder(body.affected_schedules)).toEqual(withIdsInOrder(rows));
  });

  test("over a running one keeps the executed part under the old id", () => {
    const from = caller();
    const { body: first } = post(from, schedule());
    from.advanceTo("01:10");
    const { body } = post(from, schedule({ start_time: iso("01:30"), end_time: iso("03:00"), delta_kw: 40 }));
    expect(body.affected_schedules).toEqual([
      row(first.schedule_id as string, "split", "01:00", "01:30"),
      row(body.schedule_id as string, "created", "01:30", "03:00"),
    ]);
  });
});

/** Replaces ids by numbers in order of appearance, so that the expectation does not depend on their generation. */
function withIdsInOrder(rows: unknown): unknown {
  const seen = new Map<string, number>();
  return (rows as { schedule_id: string }[]).map((entry) => {
    if (!seen.has(entry.schedule_id)) seen.set(entry.schedule_id, seen.size);
    return { ...entry, schedule_id: seen.get(entry.schedule_id) };
  });
}

describe("POST control/active_power, immediate", () => {
  test("answers with the dispatched shares", () => {
    const { body } = post(caller({ events: parseEvents("outage 0 00:05") }), immediate({ sku: "rr", delta_kw: -80 }));
    expect(body).toEqual({
      vpp_id: VPP,
      message: "Power control accepted. 1 member(s) out of service. Auto-redistributed.",
      control_type: "immediate",
      delta_kw: -80,
      fcr_response_kw: null,
      compound_breakdown: null,
      uncovered_kw: 0,
      sku: "rr",
      duration_minutes: 30,
      members: [
        {
          ems_id: ems("a"),
          label: "",
          allocation_weight: 100,
          fcr_response_kw: null,
          baseline_kw: 0,
          delta_kw: null,
          compound_breakdown: null,
          dispatch_status: "skipped_out_of_service",
          skip_reason: null,
        },
        {
          ems_id: ems("b"),
          label: "",
          allocation_weight: 300,
          fcr_response_kw: null,
          baseline_kw: 0,
          delta_kw: -80,
          compound_breakdown: null,
          dispatch_status: "dispatched",
          skip_reason: null,
        },
      ],
      timestamp: iso("00:10"),
    });
  });

  test("is in force at once and until its end", () => {
    const from = caller();
    expect(post(from, immediate()).body.message).toBe("Power control accepted.");
    expect(from.world.sites[0].dispatchedDeltaKw).toBe(-25);
    from.advanceTo("00:39:59");
    expect(from.world.sites[0].dispatchedDeltaKw).toBe(-25);
    from.advanceTo("00:40");
    expect(from.world.sites[0].dispatchedDeltaKw).toBeNull();
  });

  test("has no effect while a schedule runs, and reports this", () => {
    const from = caller({ awards: parseAwards("00:05-01:00 -50 frr") });
    const { status, body } = post(from, immediate());
    expect(status).toBe(200);
    expect(body.message).toContain("schedule is running");
    expect(body.uncovered_kw).toBe(-100);
    expect(body.members).toMatchObject([
      { dispatch_status: "skipped_incompatible", delta_kw: null, skip_reason: null },
      { dispatch_status: "skipped_incompatible", delta_kw: null, skip_reason: null },
    ]);
  });

  test.each([
    [
      "a dead link",
      ["link_down 0 00:05"],
      { dispatch_status: "failed", skip_reason: "delivery_failed", delta_kw: null },
      -25,
    ],
  ] as const)("through %s", (_, events, member, uncovered) => {
    const { body } = post(caller({ events: parseEvents(...events) }), immediate());
    expect((body.members as object[])[0]).toMatchObject(member);
    expect(body.uncovered_kw).toBe(uncovered);
  });

  test("to a site that refuses shows the site's reason", () => {
    const sites = batterySites(100, 200);
    sites[0] = { ...sites[0], capability: { ...sites[0].capability, marketable: ["rr"] } };
    const from = new ApiCaller(world(sites, { vpps: [eastVpp(sites, [1, 1])] })).advanceTo("00:10");
    const { body } = post(from, immediate({ sku: "frr" }));
    expect((body.members as object[])[0]).toMatchObject({
      dispatch_status: "skipped_incompatible",
      skip_reason: "sku_not_marketable",
      delta_kw: null,
    });
    expect(body.uncovered_kw).toBe(-50);
  });
});

describe("POST control/active_power refuses (Endpoints 7, in the order of docs/model/apis.md#control-order)", () => {
  const A = { frr: -60, rr: -100 };
  test.each([
    ["no body", undefined, 400, "invalid_parameter", undefined],
    ["a body that is a list", [], 400, "invalid_parameter", undefined],
    ["no type", { ...schedule(), type: undefined }, 400, "invalid_parameter", "type"],
    ["an unknown type", schedule({ type: "later" }), 400, "invalid_parameter", "type"],
    ["an unknown sku", schedule({ sku: "gas" }), 400, "invalid_parameter", "sku"],
    ["an unknown key", schedule({ detla_kw: 1 }), 400, "invalid_parameter", "detla_kw"],
    ["a delta that is a text", schedule({ delta_kw: "5" }), 400, "invalid_parameter", "delta_kw"],
    [
      "fcr without a width",
      { ...fcrSchedule(), fcr_response_kw: undefined },
      400,
      "fcr_response_kw_required",
      "fcr_response_kw",
    ],
    ["fcr with a delta", { ...fcrSchedule(), delta_kw: 5 }, 400, "delta_kw_not_allowed_for_fcr", "delta_kw"],
    ["compound without a delta", { ...compound(A), delta_kw: undefined }, 400, "delta_kw_required", "delta_kw"],
    ["a single product without a delta", { ...schedule(), delta_kw: undefined }, 400, "delta_kw_required", "delta_kw"],
    [
      "no product and no delta",
      { ...schedule({ sku: null }), delta_kw: undefined },
      400,
      "delta_kw_required",
      "delta_kw",
    ],
    [
      "a width for a single product",
      schedule({ fcr_response_kw: 5 }),
      400,
      "fcr_response_kw_not_allowed",
      "fcr_response_kw",
    ],
    [
      "a width below 0",
      fcrSchedule({ fcr_response_kw: -0.1 }),
      400,
      "fcr_response_kw_must_be_positive",
      "fcr_response_kw",
    ],
    [
      "FCR capacity beyond the range",
      fcrSchedule({ fcr_response_kw: 1e6 }),
      400,
      "invalid_parameter",
      "fcr_response_kw",
    ],
    ["a delta beyond the range", schedule({ delta_kw: -1e6 }), 400, "invalid_parameter", "delta_kw"],
    [
      "a breakdown of a single product",
      schedule({ compound_breakdown: A }),
      400,
      "compound_breakdown_not_allowed",
      "compound_breakdown",
    ],
    ["one part", compound({ frr: -100 }), 400, "compound_breakdown_invalid_key", "compound_breakdown"],
    [
      "an unknown part",
      compound({ frr: -100, "rr-fit": -10 }),
      400,
      "compound_breakdown_invalid_key",
      "compound_breakdown",
    ],
    [
      "a part of the other sign",
      compound({ frr: -100, rr: 10 }),
      400,
      "compound_breakdown_sign_mismatch",
      "compound_breakdown",
    ],
    [
      "a negative width in it",
      compound({ frr: -100, fcr_response_kw: -10 }, { fcr_response_kw: 10 }),
      400,
      "compound_breakdown_sign_mismatch",
      "compound_breakdown",
    ],
    [
      "another width than at the top",
      compound({ frr: -100, fcr_response_kw: 10 }, { fcr_response_kw: 20 }),
      400,
      "compound_breakdown_max_mismatch",
      "compound_breakdown",
    ],
    [
      "a part above the total",
      compound({ frr: -100, rr: -110 }),
      400,
      "compound_breakdown_value_exceeds_total",
      "compound_breakdown",
    ],
    [
      "a width above the total",
      compound(undefined, { fcr_response_kw: 110 }),
      400,
      "compound_breakdown_value_exceeds_total",
      "fcr_response_kw",
    ],
    [
      "a largest part below the total",
      compound({ frr: -60, rr: -99 }),
      400,
      "compound_breakdown_max_mismatch",
      "compound_breakdown",
    ],
    ["no start", { ...schedule(), start_time: undefined }, 400, "invalid_parameter", "start_time"],
    [
      "a start without Z",
      schedule({ start_time: "2026-04-01T01:00:00+00:00" }),
      400,
      "invalid_parameter",
      "start_time",
    ],
    ["a start in 59 s", schedule({ start_time: iso("00:10:59") }), 400, "invalid_parameter", "start_time"],
    [
      "a start in 90 days and 1 s",
      schedule({ start_time: "2026-06-30T00:10:01Z", end_time: "2026-06-30T01:00:00Z" }),
      400,
      "invalid_parameter",
      "start_time",
    ],
    ["an end in 59 s", schedule({ end_time: iso("01:00:59") }), 400, "invalid_parameter", "end_time"],
    [
      "an end a day and 1 s later",
      schedule({ end_time: "2026-04-02T01:00:01Z" }),
      400,
      "invalid_parameter",
      "end_time",
    ],
    ["a duration for a schedule", schedule({ duration_minutes: 5 }), 400, "invalid_parameter", "duration_minutes"],
    ["a start for an immediate", immediate({ start_time: iso("01:00") }), 400, "invalid_parameter", "start_time"],
    ["no duration", { ...immediate(), duration_minutes: undefined }, 400, "invalid_parameter", "duration_minutes"],
    ["a duration of 0", immediate({ duration_minutes: 0 }), 400, "invalid_parameter", "duration_minutes"],
    ["a duration of 1441", immediate({ duration_minutes: 1441 }), 400, "invalid_parameter", "duration_minutes"],
    [
      "no baselines",
      { ...schedule(), member_baselines: undefined },
      400,
      "member_baselines_required",
      "member_baselines",
    ],
    ["empty baselines", schedule({ member_baselines: [] }), 400, "member_baselines_required", "member_baselines"],
    ["baselines that are none", schedule({ member_baselines: "a" }), 400, "invalid_parameter", "member_baselines"],
    [
      "a baseline without kW",
      schedule({ member_baselines: [{ ems_id: ems("a") }] }),
      400,
      "invalid_parameter",
      "member_baselines[0].baseline_kw",
    ],
    [
      "a baseline beyond the range",
      schedule({ member_baselines: [{ ems_id: ems("a"), baseline_kw: 1e6 }] }),
      400,
      "invalid_parameter",
      "member_baselines[0].baseline_kw",
    ],
    [
      "a baseline twice",
      schedule({ member_baselines: baselines("a", "b", "a") }),
      400,
      "member_baselines_duplicate",
      "member_baselines[2].ems_id",
    ],
    [
      "a baseline of another's member",
      schedule({ member_baselines: baselines("a", "b", "d") }),
      400,
      "member_baselines_unknown_ems",
      "member_baselines[2].ems_id",
    ],
    [
      "a baseline of nobody",
      schedule({ member_baselines: [...baselines("a", "b"), { ems_id: "f".repeat(32), baseline_kw: 0 }] }),
      400,
      "member_baselines_unknown_ems",
      "member_baselines[2].ems_id",
    ],
    [
      "a member in service left out",
      schedule({ member_baselines: baselines("a") }),
      400,
      "member_baselines_incomplete",
      "member_baselines",
    ],
    ["frequency response beyond all members", fcrSchedule(), 503, "no_dispatchable_members", undefined],
    ["an immediate beyond all", immediate({ delta_kw: -300.1 }), 400, "invalid_parameter", "delta_kw"],
  ] as const)("%s", (_, body, status, errorType, parameter) => {
    const from = caller();
    const answered = post(from, body);
    expect(answered.error.error_type).toBe(errorType);
    expect(answered.status).toBe(status);
    expect(answered.error.code).toBe(status);
    expect(answered.error.parameter).toBe(parameter);
    expect(answered.body.vpp_id).toBe(VPP);
    expect(from.refusedEvents).toEqual([`vpp-v1 ${VPP} POST ${CONTROL}: ${errorType}`]);
    expect(from.world.vpps[0].pendingSchedules.size).toBe(0);
  });

  test("states the range of an immediate instruction", () => {
    const { error } = post(caller(), immediate({ delta_kw: 301 }));
    expect(error).toMatchObject({ received_value: 301, valid_range: "-300.0 to 300.0" });
  });

  test("limits apply after rounding", () => {
    expect(post(caller(), immediate({ delta_kw: -300.04 })).status).toBe(200);
    expect(post(caller(), schedule({ delta_kw: -999_999.94 })).status).toBe(200);
    expect(post(caller(), schedule({ start_time: iso("00:11"), end_time: iso("00:12") })).status).toBe(200);
    expect(
      post(caller(), schedule({ start_time: "2026-06-30T00:10:00Z", end_time: "2026-07-01T00:10:00Z" })).status,
    ).toBe(200);
    expect(post(caller(), immediate({ duration_minutes: 1440 })).status).toBe(200);
    expect(post(caller(), immediate({ delta_kw: 0 })).body.uncovered_kw).toBe(0);
  });

  test("no member in service: 503, before the check for missing baselines", () => {
    const from = caller({ events: parseEvents("outage 0 00:05", "set_weight 1 00:05 0") });
    const { status, error } = post(from, schedule({ member_baselines: baselines("a") }));
    expect([status, error.error_type, error.retry_after]).toEqual([503, "no_dispatchable_members", 60]);
  });

  test("a remaining piece under a minute is refused, and nothing changes", () => {
    const from = caller();
    post(from, schedule());
    const { status, error } = post(from, schedule({ start_time: iso("01:00:30"), end_time: iso("03:00") }));
    expect([status, error.error_type]).toEqual([400, "schedule_split_too_narrow"]);
    expect(from.world.vpps[0].pendingSchedules.size).toBe(1);
  });
});

describe("DELETE control/active_power/schedules", () => {
  const remove = (from: ApiCaller, id: unknown) => from.call("vpp-v1", VPP, "DELETE", `${SCHEDULES}?schedule_id=${id}`);

  test("deletes a schedule that starts in a minute", () => {
    const from = caller();
    const { schedule_id: id } = post(from, schedule()).body;
    from.advanceTo("00:59");
    expect(remove(from, id)).toMatchObject({
      status: 200,
      body: { vpp_id: VPP, message: "Schedule deleted successfully", schedule_id: id, timestamp: iso("00:59") },
    });
    from.advanceTo("01:00");
    expect(from.world.sites[0].dispatchedDeltaKw).toBeNull();
    expect(remove(from, id).error.error_type).toBe("schedule_not_found");
  });

  test.each([
    ["within 1 minute of its start", "00:59:01"],
    ["running", "01:00"],
    ["running", "01:59:59"],
    ["completed", "02:00"],
  ])("refuses one that is %s", (state, clock) => {
    const from = caller();
    const { schedule_id: id } = post(from, schedule()).body;
    const { status, error } = remove(from.advanceTo(clock), id);
    expect([status, error.error_type, error.schedule_id]).toEqual([409, "schedule_not_deletable", id]);
    expect(error.details).toContain(state);
  });

  test("leaves a coexisting schedule of another product", () => {
    const from = caller();
    const { schedule_id: id } = post(from, schedule()).body;
    post(from, schedule({ sku: "rr", delta_kw: -40 }));
    expect(remove(from, id).status).toBe(200);
    expect(from.advanceTo("01:00").world.sites[0].dispatchedDeltaKw).toBe(-10);
  });

  test.each([
    ["an unknown id", `${SCHEDULES}?schedule_id=${"0".repeat(32)}`, 404, "schedule_not_found"],
    ["no id", SCHEDULES, 400, "invalid_parameter"],
  ])("refuses %s", (_, path, status, errorType) => {
    const answered = caller().call("vpp-v1", VPP, "DELETE", path);
    expect([answered.status, answered.error.error_type]).toEqual([status, errorType]);
  });
});

describe("members", () => {
  const add = (from: ApiCaller, body: unknown) => from.call("vpp-v1", VPP, "POST", "/members", body);

  test("POST members registers with the defaults", () => {
    expect(add(caller(), { ems_id: ems("c"), resource_type: "battery" })).toMatchObject({
      status: 200,
      body: {
        vpp_id: VPP,
        message: "EMS registered successfully",
        ems_id: ems("c"),
        label: "",
        resource_type: "battery",
        allocation_weight: 100,
        registered_at: iso("00:10"),
        timestamp: iso("00:10"),
      },
    });
  });

  test.each([
    ["an id in capitals", { ems_id: ems("c").toUpperCase(), resource_type: "battery" }, 400, "invalid_parameter"],
    ["no id", { resource_type: "battery" }, 400, "invalid_parameter"],
    ["no type", { ems_id: ems("c") }, 400, "invalid_parameter"],
    ["a baseline", { ems_id: ems("c"), resource_type: "battery", baseline_kw: 0 }, 400, "invalid_parameter"],
    [
      "a label of 65 characters",
      { ems_id: ems("c"), resource_type: "battery", label: "x".repeat(65) },
      400,
      "invalid_parameter",
    ],
    [
      "a weight below 0",
      { ems_id: ems("c"), resource_type: "battery", allocation_weight: -1 },
      400,
      "invalid_parameter",
    ],
    [
      "a weight above the limit",
      { ems_id: ems("c"), resource_type: "battery", allocation_weight: 1e6 },
      400,
      "invalid_parameter",
    ],
    ["an unknown type", { ems_id: ems("c"), resource_type: "car" }, 400, "invalid_resource_type"],
    ["another type", { ems_id: ems("c"), resource_type: "consumer" }, 400, "resource_type_mismatch"],
    ["an EMS that is none", { ems_id: "f".repeat(32), resource_type: "battery" }, 400, "ems_not_found"],
    ["a member", { ems_id: ems("a"), resource_type: "battery" }, 409, "ems_already_registered"],
    ["another's member", { ems_id: ems("d"), resource_type: "battery" }, 409, "ems_registered_to_other_vpp"],
  ])("POST members refuses %s", (_, body, status, errorType) => {
    const answered = add(caller(), body);
    expect([answered.status, answered.error.error_type]).toEqual([status, errorType]);
    if (/^ems|mismatch/.test(errorType)) expect(answered.error.ems_id).toBe((body as { ems_id?: string }).ems_id);
  });

  test("POST members refuses the 101st", () => {
    const sites = batterySites(...new Array<number>(101).fill(10)).map((spec, k) => ({
      ...spec,
      name: `s${k}`,
      emsId: ems(`s${k}`),
    }));
    const east = eastVpp(sites.slice(0, 100), new Array<number>(100).fill(1));
    const from = new ApiCaller(world(sites, { vpps: [east] })).advanceTo("00:10");
    expect(add(from, { ems_id: ems("s100"), resource_type: "battery" }).error.error_type).toBe("member_limit_exceeded");
  });

  const update = (from: ApiCaller, id: string, body?: unknown) =>
    from.call("vpp-v1", VPP, "POST", `/members/${id}`, body);

  test("POST members/{ems_id} changes the given keys only", () => {
    const from = caller();
    expect(update(from, ems("a"), { allocation_weight: 7.5 }).body).toEqual({
      vpp_id: VPP,
      message: "Member updated successfully",
      ems_id: ems("a"),
      label: "",
      resource_type: "battery",
      allocation_weight: 7.5,
      timestamp: iso("00:10"),
    });
    expect(update(from, ems("a"), { label: "north" }).body).toMatchObject({ label: "north", allocation_weight: 7.5 });
    expect(update(from, ems("a"), {}).status).toBe(200);
    expect(update(from, ems("a")).body).toMatchObject({ label: "north", allocation_weight: 7.5 });
  });

  test.each([
    ["the type", ems("a"), { resource_type: "battery" }, 400, "invalid_parameter"],
    ["the id", ems("a"), { ems_id: ems("b") }, 400, "invalid_parameter"],
    ["a retired field", ems("a"), { default_baseline_kw: 0 }, 400, "invalid_parameter"],
    ["a weight that is a text", ems("a"), { allocation_weight: "5" }, 400, "invalid_parameter"],
    ["an id in capitals", ems("a").toUpperCase(), {}, 400, "invalid_parameter"],
    ["one outside the VPP", ems("c"), {}, 404, "member_not_found"],
    ["nobody", "f".repeat(32), {}, 404, "member_not_found"],
  ])("POST members/{ems_id} refuses %s", (_, id, body, status, errorType) => {
    const answered = update(caller(), id, body);
    expect([answered.status, answered.error.error_type]).toEqual([status, errorType]);
    if (status === 404) expect(answered.error.ems_id).toBe(id);
  });

  const leave = (from: ApiCaller, id: string) => from.call("vpp-v1", VPP, "DELETE", `/members/${id}`);

  test("DELETE members/{ems_id} keeps the member in running instructions, and it cannot be registered again until they end", () => {
    const from = caller();
    post(from, immediate());
    expect(leave(from, ems("a")).body).toEqual({
      vpp_id: VPP,
      message: "EMS removed successfully",
      ems_id: ems("a"),
      timestamp: iso("00:10"),
    });
    expect(from.world.sites[0].dispatchedDeltaKw).toBe(-25);
    const again = { ems_id: ems("a"), resource_type: "battery" };
    expect(add(from, again).error.error_type).toBe("ems_already_registered");
    const west = hexId("vpp:west");
    expect(from.call("vpp-v1", west, "POST", "/members", again).error.error_type).toBe("ems_registered_to_other_vpp");
    from.advanceTo("00:40");
    expect(add(from, again).status).toBe(200);
  });

  test.each([[ems("c")], ["f".repeat(32)], ["A"]])("DELETE members refuses %s", (id) => {
    const { status, error } = leave(caller(), id);
    expect([status, error.error_type]).toEqual([404, "member_not_found"]);
  });

  test("a new weight affects later instructions, not running ones", () => {
    const from = caller();
    post(from, immediate());
    update(from, ems("a"), { allocation_weight: 300 });
    expect(from.world.sites[0].dispatchedDeltaKw).toBe(-25);
    expect(post(from, immediate()).body.members).toMatchObject([
      { allocation_weight: 300, delta_kw: -50 },
      { delta_kw: -50 },
    ]);
  });
});

test("an unknown VPP is 404", () => {
  const { status, error } = caller().call("vpp-v1", "f".repeat(32), "POST", "/members", {});
  expect([status, error.error_type]).toEqual([404, "vpp_not_found"]);
});

test("a PV member is skipped upwards, and its site is listed with its baseline", () => {
  const sites = [...batterySites(100), site("sun", pv(flat(50)))];
  const from = new ApiCaller(world(sites, { vpps: [eastVpp(sites, [1, 1])] })).advanceTo("00:10");
  const body = schedule({
    delta_kw: 20,
    member_baselines: [
      { ems_id: ems("a"), baseline_kw: 0 },
      { ems_id: ems("sun"), baseline_kw: -50.04 },
    ],
  });
  expect(post(from, body).body.members).toMatchObject([
    { delta_kw: 20, dispatch_status: "pending" },
    { delta_kw: null, baseline_kw: -50, dispatch_status: "skipped_incompatible", skip_reason: null },
  ]);
});
