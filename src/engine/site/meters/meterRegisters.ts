import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import { REGISTER, REGISTER_COUNT } from "./energyRegisters.ts";
import type { MeteredSite } from "./resourceMeter.ts";

/** Integral of the reported baseline over a period within one trajectory, in kWh. */
export function baselineKwh(site: MeteredSite, fromMs: EpochMs, toMs: EpochMs): number {
  if (site.hasOrderBaseline) return (site.orderBaselineKw * (toMs - fromMs)) / MS_PER_HOUR;
  const { slotsKw: slots } = site.baseline;
  return slots instanceof Series ? slots.integrate(fromMs, toMs) : (slots * (toMs - fromMs)) / MS_PER_HOUR;
}

/** The register of the limiting output control: the lowest limit, the oldest of equals. */
export function curtailmentRegister(site: MeteredSite): number {
  let binding = site.outputControls[0];
  for (const control of site.outputControls) if (control.limitPct < binding.limitPct) binding = control;
  switch (binding.reason) {
    case "fit_curtailment":
      return REGISTER.fitCurtailed;
    case "non_firm_congestion":
      return REGISTER.nonFirmCurtailed;
    case "manual":
      return REGISTER.manualCurtailed;
    case "other":
      return REGISTER.otherCurtailed;
  }
}

/** Registers of a meter and its last reading: a trajectory mostly ends where a record does, so that one reading serves both. */
export class MeterRegisters extends Copyable {
  /** Up to the start of the present trajectory. */
  closed = new Float64Array(REGISTER_COUNT);
  private latest = new Float64Array(REGISTER_COUNT);
  private latestMs: EpochMs = Number.NaN;

  /** @param from  registers at the start, copied; `null`: all 0 */
  constructor(from: Float64Array | null) {
    super();
    if (from !== null) this.closed.set(from);
  }

  /** The reading of this instant in the present trajectory; `null` if there is none. */
  cachedAt(atMs: EpochMs): Float64Array | null {
    return atMs === this.latestMs ? this.latest : null;
  }

  /** A copy of the registers up to the start of the present trajectory, to which the caller adds the energy since then. */
  beginReading(atMs: EpochMs): Float64Array {
    this.latestMs = atMs;
    const { closed } = this;
    const latest = this.latest;
    for (let k = 0; k < REGISTER_COUNT; k++) latest[k] = closed[k];
    return latest;
  }

  /** Ends the trajectory at the instant of the last reading. */
  closeLatest(): void {
    const latest = this.latest;
    this.latest = this.closed;
    this.closed = latest;
    this.latestMs = Number.NaN;
  }
}
