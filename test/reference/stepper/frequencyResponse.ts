// Frequency response of one site, step by step (docs/model/frequency-response.md#droop, docs/model/frequency-response.md#reduced-deltas, docs/model/frequency-response.md#coexisting): batteries and plants.

import type { FcrConfig } from "../../../src/engine/device/frequency/frequencyResponse.ts";
import { Series } from "../../../src/engine/series/model/series.ts";
import type { ComponentSpec } from "../../../src/engine/site/components/registry.ts";

/** One order's FCR capacity at a site, with what it responds around. */
export interface FcrShare {
  readonly registration: number;
  readonly fcrCapacityKw: number;
  /** Of a compound: what is called of its delta, and what it never leaves. */
  readonly calledKw: number;
  readonly limitKw: number;
}

/** All FCR capacities of a site, and the deltas beside them. */
export interface FcrSetpoint {
  readonly shares: readonly FcrShare[];
  readonly baselineKw: number;
  readonly downKw: number;
  readonly upKw: number;
}

/** What one order's response has moved at one site. */
export interface ActivatedEnergy {
  upKwh: number;
  downKwh: number;
}

/** kW per the droop formula before any FCR capacity cuts it, import positive. */
export function droopKw(config: FcrConfig, ratedKw: number, hz: number): number {
  const { freqRefHz: f0, upDeadbandHz, lowDeadbandHz, upDroopPct, lowDroopPct } = config;
  if (config.deadbandForm === "full") {
    const [kw, isOutside] = [(ratedKw * (hz - f0)) / f0, hz - f0 > upDeadbandHz || f0 - hz > lowDeadbandHz];
    return isOutside ? kw / ((hz > f0 ? upDroopPct : lowDroopPct) / 100) : 0;
  }
  if (hz > f0 + upDeadbandHz) return (ratedKw * (hz - f0 - upDeadbandHz)) / f0 / (upDroopPct / 100);
  if (hz < f0 - lowDeadbandHz) return (-ratedKw * (f0 - lowDeadbandHz - hz)) / f0 / (lowDroopPct / 100);
  return 0;
}

export function ratedKwOf(component: ComponentSpec): number {
  if (component.kind === "battery") return Math.max(component.importMaxKw, component.exportMaxKw);
  if (component.kind === "dispatchable") return Math.max(component.ratedOutputKw, component.reservoir?.pumpMaxKw ?? 0);
  throw new Error(`the stepper knows no response of a ${component.kind}`);
}

/** What a part asks of the plant when the frequency asks so much of the site. */
export function shareResponseKw({ fcrCapacityKw, calledKw, limitKw }: FcrShare, siteKw: number): number {
  const response = Math.min(fcrCapacityKw, Math.max(-fcrCapacityKw, siteKw));
  return Math.min(limitKw, Math.max(-limitKw, calledKw + response)) - calledKw;
}

/** The response delivered: deltas against it give way first, and it is neither more than requested nor of the other sign. */
export function activatedKw(setpoint: FcrSetpoint, requestedKw: number, powerKw: number): number {
  const moved = powerKw - setpoint.baselineKw - (requestedKw > 0 ? setpoint.downKw : setpoint.upKw);
  return requestedKw > 0 ? Math.min(requestedKw, Math.max(0, moved)) : Math.max(requestedKw, Math.min(0, moved));
}

export function addActivatedEnergy(
  moved: Map<number, ActivatedEnergy>,
  setpoint: FcrSetpoint,
  step: {
    readonly siteKw: number;
    readonly requestedKw: number;
    readonly activatedKw: number;
    readonly hours: number;
    readonly inForce: readonly number[];
  },
): void {
  for (const part of setpoint.shares) {
    if (!step.inForce.includes(part.registration)) continue;
    const own = moved.get(part.registration) ?? { upKwh: 0, downKwh: 0 };
    const share = step.requestedKw === 0 ? 0 : shareResponseKw(part, step.siteKw) / step.requestedKw;
    const kwh = Math.abs(step.activatedKw) * share * step.hours;
    if (step.requestedKw > 0) own.upKwh += kwh;
    else own.downKwh += kwh;
    moved.set(part.registration, own);
  }
}

/** Before the first sample of a series its value. */
export const frequencyHzAt = (frequency: Series | number, atMs: number): number =>
  frequency instanceof Series ? frequency.valueAt(Math.max(frequency.startMs, atMs)) : frequency;
