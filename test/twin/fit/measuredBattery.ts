// Series as a meter would record them of a battery that moves by the equations of the engine.

import type { BatterySpec } from "../../../src/engine/device/battery/batterySpec.ts";
import { planBattery } from "../../../src/engine/device/battery/planBattery.ts";
import { newPlanInput } from "../../../src/engine/device/curve/devicePlanInput.ts";
import { Trajectory } from "../../../src/engine/device/curve/trajectory.ts";
import type { FcrConfig } from "../../../src/engine/device/frequency/frequencyResponse.ts";
import { type RandomStream, RandomStreams } from "../../../src/engine/kernel/randomStreams.ts";
import type { FitOptions, SiteInput } from "../../../src/twin/fit/siteInput.ts";
import { type MeasuredColumn, type MeasuredTable, measuredSite } from "../../../src/twin/measured/measuredSeries.ts";

export const START_MS = Date.UTC(2026, 3, 1);
export const HALF_HOUR_MS = 1_800_000;

export const streamOf = (seed: number) => {
  const streams = new RandomStreams(seed);
  return (purpose: string): RandomStream => streams.getStream(purpose, "test");
};

export const fitOptions = (seed = 1, resamples = 200): FitOptions => ({
  level: 0.95,
  resamples,
  streamOf: streamOf(seed),
});

export const BATTERY: BatterySpec = {
  kind: "battery",
  componentId: "bat",
  fcrCapable: true,
  ratedCapKwh: 800,
  importMaxKw: 250,
  exportMaxKw: 250,
  socOpMinPct: 5,
  socOpMaxPct: 95,
  initialSocPct: 50,
  chargeEfficiency: 0.95,
  dischargeEfficiency: 0.95,
  selfDischargePctPerDay: 0,
  auxiliaryKw: 0,
  responseDelayMs: 0,
  rampKwPerS: null,
  powerTaper: null,
};

export const FCR: FcrConfig = { freqRefHz: 50, upDeadbandHz: 0.01, lowDeadbandHz: 0.01, upDroopPct: 5, lowDroopPct: 5 };

export interface Metering {
  readonly spacingMs: number;
  readonly noiseKw: number;
  readonly socDigit: number;
  /** Share of the samples that are lost. */
  readonly lossShare: number;
  readonly seed: number;
}

export const METERING: Metering = { spacingMs: 60_000, noiseKw: 0.3, socDigit: 0.1, lossShare: 0.01, seed: 1 };

/** Target in kW from an instant on. */
export interface Step {
  readonly atMs: number;
  readonly kw: number;
}

/** Drawn targets for each half hour: rest, charge and discharge, so that the state of charge stays within its window. */
export function drawnSteps(spec: BatterySpec, days: number, seed: number): Step[] {
  const stream = streamOf(seed)("targets");
  let soc = spec.initialSocPct;
  return Array.from({ length: 48 * days }, (_, k) => {
    const draw = stream.nextUniform();
    const isUp = stream.nextUniform() < (95 - soc) / 90;
    const share = draw < 0.3 ? 0 : 0.2 + 0.8 * stream.nextUniform();
    const kw = Math.round(10 * share * (isUp ? spec.importMaxKw : -spec.exportMaxKw)) / 10;
    soc = Math.max(5, Math.min(95, soc + (50 * kw) / spec.ratedCapKwh));
    return { atMs: START_MS + k * HALF_HOUR_MS, kw };
  });
}

/** Columns `current_kw`, `soc` and `setpoint_kw` of a battery that follows targets. */
export function meteredBattery(
  spec: BatterySpec,
  steps: readonly Step[],
  endMs: number,
  metering = METERING,
): MeasuredTable {
  const { spacingMs, noiseKw, socDigit, lossShare, seed } = metering;
  const noise = streamOf(seed)("noise");
  const rows: [number, number, number, number][] = [];
  const trajectory = new Trajectory();
  let storedKwh = (spec.initialSocPct / 100) * spec.ratedCapKwh;
  let flowingKw = 0;
  let atMs = steps[0].atMs;
  for (const [k, step] of steps.entries()) {
    const fromMs = step.atMs + spec.responseDelayMs;
    const untilMs = k + 1 < steps.length ? steps[k + 1].atMs + spec.responseDelayMs : endMs + spec.responseDelayMs;
    const limits = { importLimitKw: 1e9, exportLimitKw: 1e9 };
    planBattery(
      spec,
      { ...newPlanInput(), startMs: fromMs, storedKwh, flowingKw, targetKw: step.kw, ...limits },
      trajectory,
    );
    for (; atMs < Math.min(untilMs, endMs); atMs += spacingMs) {
      const at = Math.max(atMs, fromMs);
      const target = steps.findLast((each) => each.atMs <= atMs)?.kw ?? 0;
      const kw = (atMs < fromMs ? spec.auxiliaryKw + flowingKw : trajectory.kwAt(at)) + noiseKw * noise.nextNormal();
      const soc = (100 * trajectory.storedKwhAt(at)) / spec.ratedCapKwh;
      if (noise.nextUniform() >= lossShare)
        rows.push([atMs, Math.round(10 * kw) / 10, Math.round(soc / socDigit) * socDigit, target]);
    }
    storedKwh = trajectory.storedKwhAt(untilMs);
    flowingKw = trajectory.cellKwAt(untilMs - 1e-6);
  }
  const column = (index: number): Float64Array => Float64Array.from(rows, (row) => row[index]);
  const columns = new Map<MeasuredColumn, Float64Array>([
    ["current_kw", column(1)],
    ["soc", column(2)],
    ["setpoint_kw", column(3)],
  ]);
  return { label: "instant", spacingMs, timesMs: column(0), columns };
}

export const batteryInput = (
  spec: BatterySpec,
  tables: readonly MeasuredTable[],
  options = fitOptions(),
  fcr = FCR,
): SiteInput<BatterySpec> => ({
  site: { components: [spec], fcr, link: { lossProbability: 0, latencyMs: 0 } },
  spec,
  pv: null,
  measured: measuredSite("site", tables),
  options,
});
