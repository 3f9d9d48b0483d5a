import { MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { seriesCsv } from "./csvText.ts";
import type { GeneratedFiles } from "./disk/writeFiles.ts";
import { coldStorageLoad, expectedLoad, factoryLoad, noisyLoad } from "./loadShapes.ts";
import { pvTraceKw } from "./pvTrace.ts";
import { spotPriceJpyPerKwh } from "./spotPriceJpyPerKwh.ts";
import { JST_OFFSET_MS } from "./timeGrid.ts";

const SEED = 7;
/** 2026-05-20T00:00+09:00, a Wednesday. */
const START_MS = Date.UTC(2026, 4, 19, 15);

const PV_HILL = {
  name: "pv-hill",
  latitudeDeg: 35.68,
  longitudeDeg: 139.77,
  tiltDeg: 20,
  azimuthDeg: 180,
  capacityKw: 1200,
  ratedOutputKw: 1000,
};
const FACTORY = {
  name: "factory",
  noisePct: 2,
  baseKw: 350,
  shiftKw: 850,
  shiftStartHour: 7.5,
  shiftEndHour: 20.5,
  weekendFraction: 0.3,
};
const COLD_STORE = { name: "cold-store", noisePct: 3, baseKw: 220, heatKw: 160, intakeKw: 80 };

/** The CSV files of scenarios/quickstart; its scenario.yaml is written by hand. */
export function quickstartFiles(): GeneratedFiles {
  const random = new RandomStreams(SEED);
  const period = { startMs: START_MS, endMs: START_MS + MS_PER_DAY, utcOffsetMs: JST_OFFSET_MS };
  const halfHours = { ...period, stepMs: MS_PER_HALF_HOUR };
  const fiveMinutes = { ...period, stepMs: 5 * MS_PER_MINUTE };
  return new Map([
    ["pv.csv", seriesCsv(fiveMinutes, new Map([["hill_kw", pvTraceKw(fiveMinutes, PV_HILL, random)]]))],
    [
      "load.csv",
      seriesCsv(
        halfHours,
        new Map([
          ["factory_kw", noisyLoad(halfHours, FACTORY, factoryLoad(FACTORY), random)],
          ["factory_plan_kw", expectedLoad(halfHours, factoryLoad(FACTORY))],
          ["cold_store_kw", noisyLoad(halfHours, COLD_STORE, coldStorageLoad(COLD_STORE), random)],
          ["cold_store_plan_kw", expectedLoad(halfHours, coldStorageLoad(COLD_STORE))],
        ]),
      ),
    ],
    [
      "prices.csv",
      seriesCsv(halfHours, new Map([["spot_jpy_per_kwh", spotPriceJpyPerKwh(halfHours, "spot", random)]])),
    ],
  ]);
}
