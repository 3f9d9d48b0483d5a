import { describe, expect, test } from "vitest";
import { RunHistory } from "../../src/accounting/history/runHistory.ts";
import { answerEvent } from "../../src/api/endpoints/answerRequest.ts";
import { hexId } from "../../src/base/ids.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { newSegment } from "../../src/engine/site/components/segment.ts";
import { REGISTER } from "../../src/engine/site/meters/energyRegisters.ts";
import {
  at,
  award,
  battery,
  consumer,
  evenSeries,
  flat,
  losslessBattery,
  site,
  vpp,
  world,
} from "../simulation/smallWorld.ts";
import { ApiCaller, iso } from "./apiCaller.ts";

const ems = (name: string): string => hexId(`site:${name}`);
const slot = (clock: string, kw: number, given: object = {}) => {
  const startMs = at(clock);
  const end = `${new Date(startMs + 1_800_000).toISOString().slice(0, 19)}Z`;
  return { start_time: iso(clock), end_time: end, baseline_kw: kw, ...given };
};

/** A battery whose planned baseline rises from 0 by 60 kW an hour, and a load of 300 kW under a contract of 400 kW. */
function fleet(given: Partial<WorldSpec> = {}): WorldSpec {
  const rising = evenSeries("rising", 60, [0, 60, 120, 180, 240, 300, 360], "linear");
  const sites = [
    site("bat", losslessBattery(), { baseline: { method: "series", plan: rising } }),
    site("plant", consumer(flat(300), { contractKw: 400 })),
    site("idle", losslessBattery()),
  ];
  return world(sites, { vpps: [vpp("east", sites, [[1, 1]])], endMs: at("06:00"), ...given });
}

const caller = (given: Partial<WorldSpec> = {}) =>
  new ApiCaller(fleet(given), undefined, { answer: answerEvent }).advanceTo("00:10");
const post = (from: ApiCaller, name: string, ...baselines: object[]) =>
  from.call("site-v2", ems(name), "POST", "/baseline", { ems_id: ems(name), baselines });

describe("POST baseline", () => {
  test("a battery follows its posted slot, and its plan before and after", () => {
    const from = caller();
    expect(post(from, "bat", slot("01:00", -20)).body.registered).toMatchObject([{ action: "overwritten" }]);
    const kw = (clock: string) => {
      const { resource } = from.advanceTo(clock).world.sites[0];
      const segment = newSegment();
      resource.segmentAt(at(clock), segment);
      return Math.round(10 * (segment.kw + segment.kwPerMs * (at(clock) - segment.originMs))) / 10;
    };
    expect(["00:30", "00:59", "01:00", "01:15", "01:30", "01:45"].map(kw)).toEqual([30, 59, -20, -20, 90, 105]);
  });

  test("refuses another site's id in the body", () => {
    const body = { ems_id: ems("bat"), baselines: [slot("01:00", 1)] };
    const { error } = caller().call("site-v2", ems("plant"), "POST", "/baseline", body);
    expect([error.error_type, error.parameter]).toEqual(["invalid_parameter", "ems_id"]);
  });

  test("a new slot does not change past baselines", () => {
    const spec = fleet();
    const history = new RunHistory(spec);
    const from = new ApiCaller(spec, history, { answer: answerEvent }).advanceTo("00:45");
    const baselineKwhBefore = history.pastSite(1).registersAt(at("00:40"))[REGISTER.baseline];
    post(from, "plant", slot("00:30", 120), slot("01:00", 200));
    from.advanceTo("02:00");
    const kwh = (clock: string) => history.pastSite(1).registersAt(at(clock))[REGISTER.baseline];
    expect(baselineKwhBefore).toBe(0);
    expect(["00:45", "01:00", "01:30", "02:00"].map(kwh)).toEqual([0, 30, 130, 130]);
  });
});

describe("POST fcr/config of site v1", () => {
  const config = { freq_ref: 50, up_deadband: 0, low_deadband: 0.1, up_droop: 5, low_droop: 4 };
  const set = (from: ApiCaller, body: unknown) => from.call("site-v1", ems("bat"), "POST", "/fcr/config", body);

  test("affects an active response immediately", () => {
    // 0.2 Hz below 50 Hz. Droop 5 %: 1000 kW · 0.2 / (0.05 · 50) = 80 kW; from a dead band of 0.1 Hz and at 4 %: 50 kW.
    const cell = battery({ fcrCapable: true, importMaxKw: 1000, exportMaxKw: 1000, ratedCapKwh: 5000 });
    const fcr = { freqRefHz: 50, upDeadbandHz: 0, lowDeadbandHz: 0, upDroopPct: 5, lowDroopPct: 5 };
    const sites = [site("bat", cell, { fcr })];
    const awards = [award("A1", [at("00:00"), at("02:00")], 0, { sku: "fcr", deltaKw: null, fcrResponseKw: 500 })];
    const from = new ApiCaller(
      world(sites, { vpps: [vpp("east", sites, [[0, 1]])], awards, frequencyHz: 49.8 }),
    ).advanceTo("00:10");
    const kw = () => {
      const segment = newSegment();
      from.world.sites[0].resource.segmentAt(from.world.nowMs, segment);
      return Math.round(10 * segment.kw) / 10;
    };
    expect(kw()).toBe(-80);
    set(from, config);
    expect(kw()).toBe(-50);
  });

  test("leaves what the API has no key for as the scenario has it", () => {
    const [bat, ...others] = fleet().sites;
    const fcr = { ...bat.fcr, deadbandForm: "full", responseDelayMs: 2000 } as const;
    const from = caller({ sites: [{ ...bat, fcr }, ...others] });
    set(from, config);
    expect(from.world.sites[0].fcr).toMatchObject({ lowDroopPct: 4, deadbandForm: "full", responseDelayMs: 2000 });
  });
});
