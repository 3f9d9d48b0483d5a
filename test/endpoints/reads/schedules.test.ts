// VPP API Endpoints 8; site API 2.2, Schedule record, Baseline, Service plan; site API 1.13, Schedule record, Service plan.
import { describe, expect, test } from "vitest";
import { RunHistory } from "../../../src/accounting/history/runHistory.ts";
import type { SiteServicePlan } from "../../../src/api/endpoints/schemas/siteV2Schemas.ts";
import type { VppSchedules } from "../../../src/api/endpoints/schemas/vppSchemas.ts";
import { World } from "../../../src/engine/simulation/world.ts";
import {
  at,
  batterySites,
  consumer,
  eastVpp,
  flat,
  parseAwards,
  parseInstructions,
  site,
  T0,
  world,
} from "../../simulation/smallWorld.ts";
import { callApi, contextAt, type ReadContext } from "./readContext.ts";

const DAY_MS = 86_400_000;
const sites = batterySites(100, 100);

const list = (host: ReadContext, query = {}) =>
  callApi<VppSchedules>(host, "vpp-v1", "GET /control/active_power/schedules", { query });
const scheduleTexts = (host: ReadContext) =>
  list(host).body.schedules.map(
    ({ start_time, end_time, delta_kw, sku, members }) =>
      `${start_time.slice(11, 16)}-${end_time.slice(11, 16)} ${delta_kw} ${sku} ${members.map(({ delta_kw: kw, dispatch_status }) => `${kw} ${dispatch_status}`).join(", ")}`,
  );

describe("the list of a VPP's schedules", () => {
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
});
