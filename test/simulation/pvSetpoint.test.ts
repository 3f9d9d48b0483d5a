// The set-point of a PV plant: constant as dispatched, or following the available power (docs/model/connection-point.md#held-delta, docs/model/connection-point.md#instructed-baseline, docs/model/pv.md#set-point-follow).
import { describe, test } from "vitest";
import { batterySites, evenSeries, pv, site } from "./smallWorld.ts";
import { checkWorldCase, type WorldCase } from "./worldCases.ts";

/** 60 kW of sun until 00:20, then 200 kW, then 40 kW from 00:40 on; two hours in all. */
const risingSun = (given = {}) =>
  site("p", pv(evenSeries("sun", 20, [60, 200, 40, 40, 40, 40]), given), { baseline: { method: "constant", kw: 0 } });

const HOUR = "00:00-01:00";

const CASES: readonly WorldCase[] = [
  {
    title: "hold: what was cut by the clouds of the start stays cut",
    sites: [risingSun()],
    awards: [`${HOUR} -100 frr`],
    dispatches: { A1: ["00:00 p -60"] },
    powerKw: { p: ["00:00 -60", "00:40 -40"] },
    // 20 min at 40 short, 20 at 40, 20 at 60: 140/3.
    expectedAwards: { A1: { uncoveredKw: -40, shortfallKwh: 46.667, shortfallByCauseKwh: { weather: 46.667 } } },
  },
  {
    title: "follow: the set-point rises up to the share by weight; the dispatched value is the cut delta all the same",
    sites: [risingSun()],
    options: { pvSetpoint: "follow" },
    awards: [`${HOUR} -100 frr`],
    dispatches: { A1: ["00:00 p -60"] },
    powerKw: { p: ["00:00 -60", "00:20 -100", "00:40 -40"] },
    // 20 min at 40 short, then at 0, then at 60 short.
    expectedAwards: {
      A1: { uncoveredKw: -40, shortfallKwh: 33.333, excessKwh: 0, shortfallByCauseKwh: { weather: 33.333 } },
    },
  },
  {
    title: "follow: a share rises whichever other members take part",
    sites: [risingSun(), ...batterySites(500)],
    options: { pvSetpoint: "follow" },
    awards: [`${HOUR} -300 frr`],
    dispatches: { A1: ["00:00 p -60, a -150"] },
    powerKw: { p: ["00:00 -60", "00:20 -150", "00:40 -40"], a: ["00:00 -150", "01:00 0"] },
    expectedAwards: { A1: { uncoveredKw: -90, shortfallKwh: 66.667 } },
  },
  {
    title: "follow: a set-point that was not cut has nothing to rise to",
    sites: [risingSun()],
    options: { pvSetpoint: "follow" },
    awards: [`${HOUR} -30 frr`],
    dispatches: { A1: ["00:00 p -30"] },
    powerKw: { p: ["00:00 -30", "01:00 -40"] },
    expectedAwards: { A1: { shortfallKwh: 0, excessKwh: 0 } },
  },
  {
    // Once a is gone, p is due all of 150: the clouds are still there, so that its delta is the same, but it may rise to 150.
    title: "follow: a re-dispatch changes the set-point ceiling although the delta is the same",
    sites: [risingSun(), ...batterySites(500)],
    options: { pvSetpoint: "follow" },
    awards: [`${HOUR} -150 frr`],
    events: ["outage 1 00:10-02:00"],
    dispatches: { A1: ["00:00 p -60, a -75", "00:10 a skipped_out_of_service"] },
    powerKw: { p: ["00:00 -60", "00:20 -150", "00:40 -40"] },
  },
  {
    title: "follow: wind stays at its delta",
    sites: [risingSun({ generatorKind: "wind" })],
    options: { pvSetpoint: "follow" },
    awards: [`${HOUR} -100 frr`],
    powerKw: { p: ["00:00 -60", "00:40 -40"] },
  },
];

describe("the set-point of a PV plant", () => test.each(CASES)("$title", checkWorldCase));
