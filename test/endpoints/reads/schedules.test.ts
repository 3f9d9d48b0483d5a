// VPP API Endpoints 8; site API 2.2, Schedule record, Baseline, Service plan; site API 1.13, Schedule record, Service plan.
import { describe, expect, test } from "vitest";
import { RunHistory } from "../../../src/accounting/history/runHistory.ts";
import type { SiteServicePlan } from "../../../src/api/endpoints/schemas/siteV2Schemas.ts";
import type { VppSchedules } from "../../../src/api/endpoints/schemas/vppSchemas.ts";
import { World } from "../../../src/engine/simulation/world.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import {
  at,
  batterySites,
  consumer,
  eastVpp,
  flat,
  parseAwards,
  parseEvents,
  parseInstructions,
  site,
  T0,
  world,
} from "../../simulation/smallWorld.ts";
import { callApi, contextAt, type ReadContext } from "./readContext.ts";

const DAY_MS = 86_400_000;
const sites = batterySites(100, 100);

/**
 * Awards registered by 00:00; the second of two on one line is registered a minute later, so that it splits the first.
 */
function east(clock: string, awards: readonly string[], given: Partial<WorldSpec> = {}): ReadContext {
  const registered = parseAwards(...awards).map((award, k) => ({ ...award, registeredMs: T0 + k * 60_000 }));
  return contextAt(
    world(sites, { endMs: T0 + DAY_MS, vpps: [eastVpp(sites, [1, 1])], awards: registered, ...given }),
    at(clock),
  );
}

const list = (host: ReadContext, query = {}) =>
  callApi<VppSchedules>(host, "vpp-v1", "GET /control/active_power/schedules", { query });
const scheduleTexts = (host: ReadContext) =>
  list(host).body.schedules.map(
    ({ start_time, end_time, delta_kw, sku, members }) =>
      `${start_time.slice(11, 16)}-${end_time.slice(11, 16)} ${delta_kw} ${sku} ${members.map(({ delta_kw: kw, dispatch_status }) => `${kw} ${dispatch_status}`).join(", ")}`,
  );

describe("the list of a VPP's schedules", () => {
  test.each([
    [
      "executed ones show what was dispatched (70)",
      "03:00",
      ["00:30-01:00 -50 frr"],
      ["00:30-01:00 -50 frr -25 dispatched, -25 dispatched"],
    ],
    [
      "side by side (38)",
      "03:00",
      ["00:30-01:00 -50 frr", "00:30-01:00 -20 rr"],
      ["00:30-01:00 -50 frr -25 dispatched, -25 dispatched", "00:30-01:00 -20 rr -10 dispatched, -10 dispatched"],
    ],
    [
      "the pieces that another one leaves (40)",
      "03:00",
      ["00:30-02:00 -50 frr", "01:00-01:30 -20 frr"],
      [
        "00:30-01:00 -50 frr -25 dispatched, -25 dispatched",
        "01:00-01:30 -20 frr -10 dispatched, -10 dispatched",
        "01:30-02:00 -50 frr -25 dispatched, -25 dispatched",
      ],
    ],
    [
      "one that was replaced whole is gone",
      "03:00",
      ["01:00-01:30 -50 frr", "00:30-02:00 -20 frr"],
      ["00:30-02:00 -20 frr -10 dispatched, -10 dispatched"],
    ],
  ] as const)("%s", (_, clock, awards, lines) => {
    expect(scheduleTexts(east(clock, awards))).toEqual(lines);
  });

  test("a schedule split while it runs keeps its executed part (40)", () => {
    const [long, short] = parseAwards("00:30-02:00 -50 frr", "01:00-01:30 -20 frr");
    const awards = [
      { ...long, registeredMs: T0 },
      { ...short, registeredMs: at("00:40") },
    ];
    expect(scheduleTexts(east("00:45", [], { awards })).slice(0, 1)).toEqual([
      "00:30-01:00 -50 frr -25 dispatched, -25 dispatched",
    ]);
  });

  test("before its start a schedule shows the plan (70); an immediate instruction is not listed", () => {
    const spec = world(sites, {
      vpps: [eastVpp(sites, [1, 0])],
      awards: parseAwards("01:00-01:30 -50 frr").map((award) => ({ ...award, registeredMs: T0 })),
      instructions: parseInstructions("00:05 -30 20min"),
    });
    const history = new RunHistory(spec);
    const host = { history, world: new World(spec, history, { hasDispatchPlans: true }) };
    host.world.runThrough(at("00:10"));
    expect(scheduleTexts(host)).toEqual(["01:00-01:30 -50 frr -50 pending, null skipped_weight_zero"]);
  });

  test("a member out of service is listed as skipped", () => {
    const host = east("03:00", ["00:30-01:00 -50 frr"], { events: parseEvents("outage 1 00:20-02:00") });
    expect(scheduleTexts(host)).toEqual(["00:30-01:00 -50 frr -50 dispatched, null skipped_out_of_service"]);
  });

  const host = contextAt(
    world(sites, {
      endMs: T0 + 60 * DAY_MS,
      vpps: [eastVpp(sites, [1, 1])],
      awards: [0, 9, 20, 39].map((day, k) => {
        const [award] = parseAwards("00:30-01:00 -50 frr");
        return { ...award, awardId: `D${k}`, startMs: award.startMs + day * DAY_MS, endMs: award.endMs + day * DAY_MS };
      }),
    }),
    T0 + 39 * DAY_MS + 1_800_000,
  );
  const iso = (day: number, clock = "00:30:00") =>
    `${new Date(T0 + day * DAY_MS).toISOString().slice(0, 10)}T${clock}Z`;

  test.each([
    ["by default from 30 days ago, that instant included (70)", {}, [9, 20, 39]],
    ["from an instant, included", { start_time_from: iso(20) }, [20, 39]],
    ["to an instant, included", { start_time_to: iso(20) }, [9, 20]],
    ["by the start alone", { start_time_from: iso(20, "00:30:01") }, [39]],
    ["between", { start_time_from: iso(20), start_time_to: iso(20) }, [20]],
    ["to 90 days ahead", { start_time_to: iso(129) }, [9, 20, 39]],
  ])("window: %s", (_, query, days) => {
    expect(list(host, query).body.schedules.map(({ start_time }) => start_time)).toEqual(days.map((day) => iso(day)));
  });

  test.each([
    [
      "more than 30 days back",
      { start_time_from: iso(9, "00:29:59") },
      "schedule_query_out_of_range",
      "start_time_from",
    ],
    [
      "more than 90 days ahead",
      { start_time_to: iso(129, "00:30:01") },
      "schedule_query_out_of_range",
      "start_time_to",
    ],
    ["from after to (70)", { start_time_from: iso(21), start_time_to: iso(20) }, "invalid_parameter", "start_time_to"],
    ["no instant", { start_time_from: "yesterday" }, "invalid_parameter", "start_time_from"],
  ])("window: %s is 400", (_, query, kind, parameter) => {
    const { status, body } = callApi<{ error: object }>(host, "vpp-v1", "GET /control/active_power/schedules", {
      query,
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ error_type: kind, parameter });
  });
});

describe("the schedules of a site", () => {
  test("are the shares of its VPP's and its owner's, FCR with its capacity and no delta", () => {
    const responding = batterySites(100).map((spec) => ({
      ...spec,
      capability: { ...spec.capability, fcrCapable: true },
      components: spec.components.map((component) => ({ ...component, fcrCapable: true })),
    }));
    const direct = {
      kind: "direct_schedule",
      atMs: T0,
      settled: false,
      site: 0,
      startMs: at("02:00"),
      endMs: at("02:30"),
      deltaKw: 5,
    } as const;
    const host = contextAt(
      world(responding, {
        endMs: T0 + DAY_MS,
        vpps: [eastVpp(responding, [1])],
        awards: parseAwards("00:30-01:00 -50 frr", "01:00-01:30 ~20 fcr"),
        events: [direct],
        frequencyHz: 50,
      }),
      at("03:00"),
    );
    const v2 = callApi<{ schedules: object[] }>(host, "site-v2", "GET /control/active_power/schedules").body.schedules;
    expect(v2).toEqual([
      expect.objectContaining({ delta_kw: -50, sku: "frr", baseline_kw: 0 }),
      expect.objectContaining({ fcr_response_kw: 20, sku: "fcr" }),
      expect.objectContaining({ delta_kw: 5, sku: null, start_time: "2026-04-01T02:00:00Z" }),
    ]);
    expect(v2[1]).not.toHaveProperty("delta_kw");
    const within = { start_time: "2026-04-01T00:59:59Z", end_time: "2026-04-01T01:30:00Z" };
    expect(
      callApi<{ schedules: object[] }>(host, "site-v2", "GET /control/active_power/schedules", { query: within }).body
        .schedules,
    ).toHaveLength(2);
    const v1 = callApi<{ schedules: object[] }>(host, "site-v1", "GET /control/schedules").body.schedules;
    expect(v1).toEqual([
      expect.objectContaining({ power_kw: -50, sku: "frr" }),
      expect.objectContaining({ power_kw: 20, sku: "fcr" }),
      expect.objectContaining({ power_kw: 5 }),
    ]);
    const plan = callApi<SiteServicePlan>(host, "site-v2", "GET /serviceplan", {
      query: { start_time: "2026-04-01T00:15:00Z" },
    }).body;
    expect(
      plan.plans
        .slice(0, 4)
        .map((slot) => [slot.scheduled_delta_kw, slot.scheduled_fcr_response_kw, slot.scheduled_sku]),
    ).toEqual([
      [-50, null, "frr"],
      [-50, 20, "mixed"],
      [null, 20, "fcr"],
      [5, null, null],
    ]);
  });
});

describe("the service plan", () => {
  const load = site("load", consumer(flat(600)), { baseline: { method: "constant", kw: 150 } });
  const maintained = { ...load, maintenance: [{ startMs: at("01:15"), endMs: at("02:00") }] };
  const host = contextAt(world([maintained], { endMs: at("10:00"), vpps: [eastVpp([maintained], [1])] }), at("00:44"));

  test.each(["site-v1", "site-v2"] as const)(
    "%s: 48 half hours from the one that contains now (165), maintenance as 9 (72)",
    (api) => {
      const { plans, start_time } = callApi<SiteServicePlan>(host, api, "GET /serviceplan").body;
      expect(start_time).toBe("2026-04-01T00:30:00Z");
      expect(plans).toHaveLength(48);
      expect(plans.slice(0, 4).map(({ status }) => status)).toEqual([0, 9, 9, 0]);
      expect(plans[0]).toMatchObject({
        start_time: "2026-04-01T00:30:00Z",
        end_time: "2026-04-01T01:00:00Z",
        baseline_kw: 150,
      });
      // There is no plan after the scenario.
      expect(plans[18].baseline_kw).toBe(150);
      expect(plans[19].baseline_kw).toBe(0);
      const later = callApi<SiteServicePlan>(host, api, "GET /serviceplan", {
        query: { start_time: "2026-04-01T05:10:00Z" },
      }).body;
      expect(later.plans[0]).toMatchObject({ start_time: "2026-04-01T05:10:00Z", end_time: "2026-04-01T05:40:00Z" });
    },
  );
});

describe("registered baselines", () => {
  const load = site("load", consumer(flat(600)), { baseline: { method: "constant", kw: 150 } });
  const none = { ...site("none", consumer(flat(600))), emsId: "9".repeat(32) };
  const host = contextAt(world([load, none], { endMs: T0 + 3 * DAY_MS, vpps: [eastVpp([load], [1])] }), at("13:00"));
  const slots = (query: Record<string, string>, id?: string) =>
    callApi<{ baselines: { start_time: string; baseline_kw: number; registered_at: string }[] }>(
      host,
      "site-v2",
      "GET /baseline",
      { query, ...(id && { id }) },
    );

  test("are listed from the start of the UTC day (151)", () => {
    const { baselines } = slots({}).body;
    expect(baselines).toHaveLength(3 * 48);
    expect(baselines[0]).toEqual({
      start_time: "2026-04-01T00:00:00Z",
      end_time: "2026-04-01T00:30:00Z",
      baseline_kw: 150,
      registered_at: "2026-04-01T00:00:00Z",
    });
    expect(
      slots({ start_time: "2026-04-01T05:10:00Z", end_time: "2026-04-01T06:00:00Z" }).body.baselines.map(
        ({ start_time }) => start_time.slice(11, 16),
      ),
    ).toEqual(["05:00", "05:30"]);
    // A consumer without a baseline has no registered slots (103).
    expect(slots({}, none.emsId).body.baselines).toEqual([]);
  });

  test.each([
    ["7 days", { start_time: "2026-04-01T00:00:00Z", end_time: "2026-04-08T00:00:00Z" }, 200],
    ["more (164)", { start_time: "2026-04-01T00:00:00Z", end_time: "2026-04-08T00:00:01Z" }, 410],
    ["none", { start_time: "2026-04-01T00:00:00Z", end_time: "2026-04-01T00:00:00Z" }, 400],
  ])("a window of %s", (_, query, status) => {
    expect(slots(query).status).toBe(status);
  });
});

test("the parameters of the frequency response: site API 1.13, Endpoints 9", () => {
  const host = east("00:10", []);
  expect(callApi(host, "site-v1", "GET /fcr/config").body).toEqual({
    ems_id: sites[0].emsId,
    freq_ref: 50,
    up_deadband: 0.01,
    low_deadband: 0.01,
    up_droop: 5,
    low_droop: 5,
    timestamp: "2026-04-01T00:10:00Z",
  });
});
