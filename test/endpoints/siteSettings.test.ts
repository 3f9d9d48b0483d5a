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
const list = (from: ApiCaller, name: string) => from.call("site-v2", ems(name), "GET", "/baseline").body.baselines;

describe("POST baseline", () => {
  test("answers with the counts of new and replaced slots; the last value counts", () => {
    const from = caller();
    expect(post(from, "plant", slot("01:00", 100.04, { method_note: "high 4 of 5" }), slot("01:30", 200)).body).toEqual(
      {
        ems_id: ems("plant"),
        registered: [
          { ...slot("01:00", 100), action: "created" },
          { ...slot("01:30", 200), action: "created" },
        ],
        timestamp: iso("00:10"),
      },
    );
    expect(post(from.advanceTo("00:20"), "plant", slot("01:00", 150)).body.registered).toMatchObject([
      { action: "overwritten" },
    ]);
    expect(list(from, "plant")).toEqual([
      { ...slot("01:00", 150), registered_at: iso("00:20") },
      { ...slot("01:30", 200), registered_at: iso("00:10") },
    ]);
    const reported = ["00:59:59", "01:00", "01:30", "02:00"].map((clock) =>
      from.advanceTo(clock).world.sites[1].reportedBaselineKw(at(clock)),
    );
    expect(reported).toEqual([0, 150, 200, 0]);
  });

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

  test.each([
    ["no slots", [], 400, "invalid_parameter", "baselines"],
    ["a start off the half hour", [slot("01:15", 1)], 400, "baseline_unaligned", "baselines[0].start_time"],
    [
      "a start with seconds",
      [slot("01:00", 1), slot("01:30:01", 1)],
      400,
      "baseline_unaligned",
      "baselines[1].start_time",
    ],
    ["an hour", [slot("01:00", 1, { end_time: iso("02:00") })], 400, "baseline_unaligned", "baselines[0].end_time"],
    ["more than the contract", [slot("01:00", 400.1)], 400, "baseline_out_of_range", "baselines[0].baseline_kw"],
    ["less than 0", [slot("01:00", -0.1)], 400, "baseline_out_of_range", "baselines[0].baseline_kw"],
    ["beyond the range", [slot("01:00", 1e6)], 400, "invalid_parameter", "baselines[0].baseline_kw"],
    [
      "a note of 65 characters",
      [slot("01:00", 1, { method_note: "x".repeat(65) })],
      400,
      "invalid_parameter",
      "baselines[0].method_note",
    ],
    [
      "no kW",
      [{ start_time: iso("01:00"), end_time: iso("01:30") }],
      400,
      "invalid_parameter",
      "baselines[0].baseline_kw",
    ],
  ])("refuses %s, and registers nothing", (_, slots, status, errorType, parameter) => {
    const from = caller();
    const { error } = post(from, "plant", ...slots);
    expect([error.code, error.error_type, error.parameter]).toEqual([status, errorType, parameter]);
    expect(list(from, "plant")).toEqual([]);
  });

  test("accepts 336 slots and refuses 337", () => {
    const slots = Array.from({ length: 337 }, (_, k) => slot(`${Math.floor(k / 2)}:${k % 2 === 0 ? "00" : "30"}`, 1));
    expect(post(caller(), "plant", ...slots.slice(1)).status).toBe(200);
    const { error } = post(caller(), "plant", ...slots);
    expect([error.error_type, error.valid_range]).toEqual(["baseline_bulk_too_large", "1 to 336 slots"]);
  });

  test("refuses another site's id in the body", () => {
    const body = { ems_id: ems("bat"), baselines: [slot("01:00", 1)] };
    const { error } = caller().call("site-v2", ems("plant"), "POST", "/baseline", body);
    expect([error.error_type, error.parameter]).toEqual(["invalid_parameter", "ems_id"]);
  });

  test("a slot of a completed demand response cannot be changed, one of a running one can", () => {
    const from = caller({ awards: [award("A1", [at("00:45"), at("01:15")], -60, { sku: "rr" })] });
    expect(post(from.advanceTo("01:00"), "plant", slot("00:30", 300), slot("01:00", 300)).status).toBe(200);
    from.advanceTo("01:15");
    for (const clock of ["00:30", "01:00"]) {
      const { error } = post(from, "plant", slot(clock, 200));
      expect(error).toMatchObject({ code: 422, error_type: "baseline_locked_after_dr", start_time: iso(clock) });
    }
    expect(post(from, "plant", slot("01:30", 200)).status).toBe(200);
    expect(post(from, "plant", slot("00:00", 200)).status).toBe(200);
  });

  test("a negawatt instruction requires registered slots", () => {
    const from = caller();
    const body = {
      type: "schedule",
      sku: "negawatt-spot",
      delta_kw: -60,
      start_time: iso("01:00"),
      end_time: iso("02:00"),
    };
    const ask = () => from.call("site-v2", ems("plant"), "POST", "/control/active_power", body);
    post(from, "plant", slot("01:00", 300));
    expect(ask().error).toMatchObject({
      error_type: "baseline_not_configured",
      start_time: iso("01:30"),
      end_time: iso("02:00"),
    });
    post(from, "plant", slot("01:30", 300));
    expect(ask().status).toBe(200);
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

  test("is confirmed, and can be read back", () => {
    const from = caller();
    expect(set(from, config).body).toEqual({
      ems_id: ems("bat"),
      message: "FCR configuration updated successfully",
      ...config,
      timestamp: iso("00:10"),
    });
    expect(from.call("site-v1", ems("bat"), "GET", "/fcr/config").body).toMatchObject(config);
  });

  test.each([
    ["freq_ref", 49.4, "49.5 to 60.5"],
    ["up_deadband", 0.21, "0 to 0.2"],
    ["low_deadband", -0.01, "0 to 0.2"],
    ["up_droop", 0.19, "0.2 to 10"],
    ["low_droop", 10.1, "0.2 to 10"],
    ["low_droop", undefined, "0.2 to 10"],
  ])("refuses %s %s", (key, value, range) => {
    const { error } = set(caller(), { ...config, [key]: value });
    expect([error.code, error.parameter, error.valid_range]).toEqual([400, key, range]);
  });

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
});
