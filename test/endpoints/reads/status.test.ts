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

describe("summary status", () => {
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
});

describe("the description of a site", () => {
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
