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
  parseEvents,
  parseInstructions,
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
  test("samples at start + k·interval while before the end, right-continuous (62, 158)", () => {
    const host = east([bat()], "02:00", { awards: parseAwards("00:00-01:00 -100 frr") });
    const body = power(host, between("00:59:30", "01:01:00", { request_id: "mine", interval_seconds: 60 }));
    expect(body).toMatchObject({
      request_id: "mine",
      interval_seconds: 60,
      start_time: iso("00:59:30"),
      end_time: iso("01:01:00"),
    });
    expect(body.data.map(({ current_kw }) => current_kw)).toEqual([-100, 0]);
    expect(clocks(body)).toEqual(["00:59:30", "01:00:30"]);
    // The award is over at the very instant of its end.
    expect(power(host, between("01:00", "01:01")).data[0].dispatched_delta_kw).toBeNull();
    expect(power(host, between("00:00", "00:01")).data[0].dispatched_delta_kw).toBe(-100);
    expect(power(host, between("00:00", "02:00")).data).toHaveLength(120);
    expect(power(host, between("00:00", "02:00", { interval_seconds: 86_400 })).data).toHaveLength(1);
    expect(power(host, between("00:00", "00:01")).request_id).toBeNull();
  });

  test("a link outage omits the member, and the timestamp if no member has data (62, 150)", () => {
    const given = { events: parseEvents("link_down 0 00:10-00:12", "link_down 1 00:11-00:13") };
    const host = east([bat(0), bat(1)], "01:00", given);
    const body = power(host, between("00:09", "00:14"));
    expect(
      body.data.map(
        ({ timestamp, members }) => `${timestamp.slice(14, 16)} ${members.map(({ ems_id }) => ems_id[0]).join("")}`,
      ),
    ).toEqual(["09 01", "10 1", "12 0", "13 01"]);
    expect(clocks(power(host, between("00:09", "00:14", { ems_ids: [bat(0).emsId] })))).toEqual([
      "00:09:00",
      "00:12:00",
      "00:13:00",
    ]);
    const own = callApi<{ data: object[] }>(host, "site-v2", "POST /measurements/active_power", {
      id: bat(0).emsId,
      body: between("00:09", "00:14"),
    });
    expect(own.body.data).toHaveLength(5);
  });

  test("members are absent while not registered; a removed one is listed until the running instruction ends (51)", () => {
    const sites = [bat(0), bat(1), bat(2)];
    const vpps = [eastVpp(sites.slice(0, 2), [1, 1])];
    const given = {
      vpps,
      awards: parseAwards("00:00-00:30 -100 frr"),
      events: parseEvents("add_member 2 00:10 0", "remove_member 1 00:15 0"),
    };
    const host = contextAt(world(sites, given), at("01:00"));
    const who = (clock: string) =>
      power(host, between(clock, `${clock}:30`))
        .data[0].members.map(({ ems_id }) => ems_id[0])
        .join("");
    expect([who("00:09"), who("00:10"), who("00:20"), who("00:29"), who("00:30")]).toEqual([
      "01",
      "012",
      "012",
      "012",
      "02",
    ]);
    // Its energy counts until then: 50 kW for half an hour.
    const { data } = energy(host, between("00:00", "01:00"));
    expect(data[0].members.map(({ ems_id, export_kwh }) => [ems_id[0], export_kwh])).toEqual([
      ["0", 25],
      ["1", 25],
      ["2", 0],
    ]);
    expect(energy(host, between("00:30", "01:00")).data[0].members.map(({ ems_id }) => ems_id[0])).toEqual(["0", "2"]);
    // A former member can be named.
    expect(power(host, between("00:00", "00:01", { ems_ids: [bat(1).emsId] })).data[0].members).toHaveLength(1);
  });

  test("in frequency response there is no delta (57), with another product there is", () => {
    const host = east([bat()], "02:00", {
      awards: parseAwards("00:00-01:00 ~100 fcr", "00:30-01:00 -60 rr"),
      frequencyHz: 49.9,
    });
    const [alone, beside] = ["00:10", "00:40"].map((clock) => power(host, between(clock, `${clock}:30`)).data[0]);
    expect(alone).toMatchObject({
      current_kw: -18,
      delta_kw: null,
      dispatched_delta_kw: null,
      fcr_response_kw: 100,
      active_sku: "fcr",
    });
    expect(alone.members[0]).toMatchObject({ delta_kw: null, fcr_response_kw: 100, actual_frequency: 49.9 });
    expect(beside).toMatchObject({
      current_kw: -78,
      delta_kw: -78,
      dispatched_delta_kw: -60,
      fcr_response_kw: null,
      active_sku: "mixed",
    });
    expect(beside.members[0]).toMatchObject({ fcr_response_kw: 100, dispatched_delta_kw: -60 });
  });

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

  test("v1: numbers where v2 has null (138)", () => {
    const host = east([bat()], "01:00", {
      awards: parseAwards("00:00-01:00 -100 frr"),
      events: parseEvents("outage 0 00:10-00:20"),
    });
    const { body } = callApi<{ data: object[] }>(host, "site-v1", "POST /report/power", {
      body: between("00:09", "00:12"),
    });
    expect(body).not.toHaveProperty("request_id");
    const [before, during] = body.data;
    expect(before).toEqual({
      timestamp: iso("00:09"),
      power_kw: -100,
      baseline_kw: 0,
      delta_kw: -100,
      actual_frequency: 50,
      output_control_limit: 100,
    });
    expect(during).toMatchObject({ power_kw: 0, delta_kw: 0 });
    const kwh = callApi(host, "site-v1", "POST /report/energy", {
      body: between("00:00", "01:00", { request_id: "x" }),
    }).body;
    // 10 and 40 minutes of 100 kW; after the outage the instruction is dispatched again at once.
    expect(kwh).toMatchObject({ request_id: "x", charge_kwh: 0, discharge_kwh: 83.3 });
  });
});

describe("energy history", () => {
  test("demand responses: instructions that began in the period, minutes of all members, floored (64)", () => {
    const two = [load(), { ...load(), name: "load2", emsId: "e".repeat(32) }];
    const counted = contextAt(
      world(two, {
        endMs: at("05:00"),
        vpps: [eastVpp(two, [1, 1])],
        // The second award splits the first; a later piece of the same request does not count again.
        awards: parseAwards("00:00-02:00 -100 frr", "00:30-01:00 -60 frr").map((award, k) => ({
          ...award,
          registeredMs: award.startMs - k * 60_000,
        })),
        instructions: parseInstructions("02:10 -50 10min"),
        events: parseEvents("outage 1 01:30-01:45:40"),
      }),
      at("03:00"),
    );
    const of = (from: string, to: string) => {
      const { dr_dispatched_count, dr_total_dispatched_minutes } = energy(counted, between(from, to));
      return [dr_dispatched_count, dr_total_dispatched_minutes];
    };
    // 130 minutes each, but the second member was out for 15:40 and was dispatched again at the whole minute, 01:46.
    expect(of("00:00", "03:00")).toEqual([3, 130 + 130 - 16]);
    expect(of("00:00", "00:30")).toEqual([1, 60]);
    expect(of("01:00", "02:00")).toEqual([0, 60 + 44]);
    expect(of("02:15", "02:17")).toEqual([0, 4]);
    expect(of("01:30", "01:31:30")).toEqual([0, 1]);
    const own = callApi(counted, "site-v2", "POST /measurements/energy", {
      id: two[0].emsId,
      body: between("00:00", "03:00"),
    }).body;
    expect(own).toMatchObject({ dr_dispatched_count: 3, dr_total_dispatched_minutes: 130 });
  });

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
