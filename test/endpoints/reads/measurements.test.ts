// VPP API Endpoints 10 and 11, their records; site API 2.2, Power and Energy history; site API 1.13, Endpoints 7 and 8.
import { describe, expect, test } from "vitest";
import type { VppEnergyHistory, VppPowerHistory } from "../../../src/api/endpoints/schemas/vppSchemas.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import {
  at,
  consumer,
  eastVpp,
  evenSeries,
  flat,
  losslessBattery,
  parseAwards,
  pv,
  site,
  world,
} from "../../simulation/smallWorld.ts";
import { callApi, contextAt, type ReadContext } from "./readContext.ts";

const bat = (k = 0) => ({ ...site(`b${k}`, losslessBattery({ fcrCapable: true })), emsId: `${k}`.repeat(32) });
const load = (given: Parameters<typeof consumer>[1] = {}) =>
  site("load", consumer(flat(600), given), { baseline: { method: "perfect" } });

function east(sites: readonly SiteSpec[], clock: string, given: Partial<WorldSpec> = {}): ReadContext {
  return contextAt(
    world(sites, {
      endMs: at("05:00"),
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

const iso = (clock: string): string => `2026-04-01T${clock.length === 5 ? `${clock}:00` : clock}Z`;
const between = (from: string, to: string, more: object = {}) => ({
  start_time: iso(from),
  end_time: iso(to),
  ...more,
});
const power = (host: ReadContext, body: object) =>
  callApi<VppPowerHistory>(host, "vpp-v1", "POST /measurements/active_power", { body }).body;
const energy = (host: ReadContext, body: object) =>
  callApi<VppEnergyHistory>(host, "vpp-v1", "POST /measurements/energy", { body }).body;
const clocks = (body: VppPowerHistory) => body.data.map(({ timestamp }) => timestamp.slice(11, 19));

describe("power history", () => {
  test("a compound's product legs are divided like the members' deltas (19)", () => {
    const [award] = parseAwards("00:00-01:00 -90 compound");
    const awards = [{ ...award, compoundBreakdown: { frr: -90, rr: -30 } }];
    const sites = [bat(0), bat(1)];
    const host = east(sites, "01:00", { awards, vpps: [eastVpp(sites, [2, 1])] });
    const [{ members, ...sums }] = power(host, between("00:10", "00:11")).data;
    expect(members.map(({ compound_breakdown }) => compound_breakdown)).toEqual([
      { frr: -60, rr: -20 },
      { frr: -30, rr: -10 },
    ]);
    expect(sums).toMatchObject({ active_sku: "compound", compound_breakdown: { frr: -90, rr: -30 } });
  });
});

describe("energy history", () => {
  test("an instruction counts as demand response only if a load reduces (64)", () => {
    const made = site("m", losslessBattery({ componentId: "bat" }), { baseline: { method: "constant", kw: 600 } });
    // The battery gives up to 500 kW, the load the next 200 kW.
    const several: SiteSpec = {
      ...made,
      components: [...made.components, consumer(flat(600), { componentId: "load", maxDrReductionKw: 200 })],
      capability: { ...made.capability, drCapable: true },
    };
    const counted = (awards: WorldSpec["awards"]) => {
      const body = energy(east([several], "02:00", { awards }), between("00:00", "02:00"));
      return [body.dr_dispatched_count, body.dr_total_dispatched_minutes];
    };
    expect(counted(parseAwards("00:00-01:00 -300 frr"))).toEqual([0, 0]);
    expect(counted(parseAwards("00:00-01:00 -600 frr"))).toEqual([1, 60]);
    const [award] = parseAwards("00:00-01:00 -600 frr");
    expect(counted([{ ...award, activation: 0 }])).toEqual([0, 0]);
  });

  test("energy paths of the components sum to the site's figures, to the last digit", () => {
    const made = site("m", losslessBattery({ componentId: "bat" }), { baseline: { method: "constant", kw: 100 } });
    const components = [
      ...made.components,
      pv(
        evenSeries(
          "s",
          30,
          Array.from({ length: 96 }, (_, k) => (k % 5) * 77.7),
        ),
        { componentId: "pv" },
      ),
      consumer(flat(123.4), { componentId: "load" }),
    ];
    const several: SiteSpec = {
      ...made,
      components,
      capability: { ...made.capability, reverseFlowAllowed: true, drCapable: true },
    };
    const mixed = east([several], "04:00", { awards: parseAwards("00:10-01:40 -77.7 frr", "02:00-03:10 55.5 frr") });
    const { data } = energy(mixed, between("00:00", "03:37", { interval_seconds: 1800, include_components: true }));
    for (const { members } of data) {
      const [{ components: parts = [], ...own }] = members;
      const sum = (field: "from_grid_kwh" | "to_grid_kwh" | "to_load_kwh") =>
        Math.round(10 * parts.reduce((total, part) => total + (part[field] ?? 0), 0));
      expect(sum("from_grid_kwh")).toBe(Math.round(10 * (own.import_kwh ?? 0)));
      expect(sum("to_grid_kwh")).toBe(Math.round(10 * (own.export_kwh ?? 0)));
      expect(sum("to_load_kwh")).toBe(Math.round(10 * (own.self_consumed_kwh ?? 0)));
    }
    expect(energy(mixed, between("00:00", "03:37")).data[0].members[0]).not.toHaveProperty("components");
  });
});

describe("a history that ends after now", () => {
  const host = east([bat(), load()], "01:10", {
    awards: parseAwards("00:00-01:00 -100 frr", "01:10-02:00 -60 frr"),
  });

  test("has the power samples at or before now, the last with all events of the instant (61, 62)", () => {
    const body = power(host, between("01:00", "03:00", { interval_seconds: 60 }));
    expect([clocks(body).length, clocks(body).at(-1)]).toEqual([11, "01:10:00"]);
    expect(body.data.map(({ dispatched_delta_kw }) => dispatched_delta_kw).slice(-2)).toEqual([null, -60]);
    expect(body).toMatchObject({ start_time: iso("01:00"), end_time: iso("03:00") });
    // A command at the present instant shows in the sample of that instant.
    const { world: running } = host;
    callApi(host, "site-v2", "POST /control/active_power", {
      body: { type: "immediate", delta_kw: -40, sku: "rr", duration_minutes: 10, baseline_kw: 0 },
    });
    expect(running.nowMs).toBe(at("01:10"));
    const own = () =>
      callApi<{ data: { dispatched_delta_kw: number }[] }>(host, "site-v2", "POST /measurements/active_power", {
        body: between("01:09", "03:00"),
      }).body.data.map(({ dispatched_delta_kw }) => dispatched_delta_kw);
    expect(own()).toEqual([null, -70]);
    running.runThrough(at("01:11"));
    expect(own()).toEqual([null, -70, -70]);
  });

  test("has the energy intervals that are complete; without an interval one record up to now (61)", () => {
    const records = (body: object) =>
      energy(day, body).data.map(({ start_time, end_time, import_kwh }) => [
        start_time.slice(11, 16),
        end_time.slice(11, 16),
        import_kwh,
      ]);
    const day = east([load()], "01:10");
    expect(records(between("00:00", "03:00", { interval_seconds: 1800 }))).toEqual([
      ["00:00", "00:30", 300],
      ["00:30", "01:00", 300],
    ]);
    expect(records(between("00:00", "03:00"))).toEqual([["00:00", "01:10", 700]]);
    // The last interval is cut at the end of the period: complete as soon as that is past.
    expect(records(between("00:00", "01:10", { interval_seconds: 3600 }))).toHaveLength(2);
    expect(records(between("01:10", "03:00"))).toEqual([]);
    const v1 = callApi(day, "site-v1", "POST /report/energy", { body: between("00:00", "03:00") }).body;
    expect(v1).toMatchObject({ charge_kwh: 700, end_time: iso("03:00") });
  });

  test("counts demand responses up to now, one that begins now included", () => {
    const counters = ({ dr_dispatched_count, dr_total_dispatched_minutes }: VppEnergyHistory) => [
      dr_dispatched_count,
      dr_total_dispatched_minutes,
    ];
    const running = east([load()], "01:10", { awards: parseAwards("00:30-01:00 -50 frr", "01:10-02:00 -60 rr") });
    expect(counters(energy(running, between("00:00", "03:00")))).toEqual([2, 30]);
    expect(counters(energy(running, between("00:00", "01:10")))).toEqual([1, 30]);
    running.world.runThrough(at("01:20"));
    expect(counters(energy(running, between("00:00", "03:00")))).toEqual([2, 40]);
  });
});
