// VPP API Endpoints 8; site API 2.2, Schedule record, Baseline, Service plan; site API 1.13, Schedule record, Service plan.
import { describe, expect, test } from "vitest";
import type { SiteServicePlan } from "../../../src/api/endpoints/schemas/siteV2Schemas.ts";
import { at, consumer, eastVpp, flat, site, T0, world } from "../../simulation/smallWorld.ts";
import { callApi, contextAt } from "./readContext.ts";

const DAY_MS = 86_400_000;

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
