import type { EpochMs } from "../../../../base/time.ts";
import { STORAGE_BOUND_TOLERANCE_KWH } from "../../../device/battery/batteryCapability.ts";
import { ConstantPowerFlow } from "../../../device/battery/constantPowerBattery.ts";

/**
 * The stored energy of a battery, its limits and, where the power is constant until full or empty, its present trajectory: one
 * object of fixed shape, which the loops over the members of a VPP read.
 */
export class BatteryStore extends ConstantPowerFlow {
  /** Whether the flow is the present trajectory. */
  hasFlow = false;
  /** Set-point of the cells at the start of the trajectory, in kW. */
  targetKw = Number.NaN;
  /** Bounds of the stored energy, and power limits in each direction: ratings within the connection limits. */
  fullKwh = Number.NaN;
  emptyKwh = Number.NaN;
  importCapKw = Number.NaN;
  exportCapKw = Number.NaN;
  /** Stored energy, and power of the cells, at the last `advance`. */
  currentKwh = Number.NaN;
  currentCellKw = Number.NaN;

  /** Headroom from a baseline in kW, by power alone. @param mayExport  whether the site may export what is sold */
  headroomKw(baselineKw: number, up: boolean, mayExport: boolean): number {
    const { currentKwh } = this;
    if (up) {
      const isFull = this.fullKwh - STORAGE_BOUND_TOLERANCE_KWH <= currentKwh;
      return Math.max(0, (isFull ? 0 : this.importCapKw) - baselineKw);
    }
    const isEmpty = currentKwh <= this.emptyKwh + STORAGE_BOUND_TOLERANCE_KWH;
    return Math.max(0, (isEmpty || !mayExport ? 0 : this.exportCapKw) + baselineKw);
  }

  /** Advances to an instant, at which the flow ends. */
  advanceFlow(atMs: EpochMs): void {
    this.currentKwh = this.storedKwhAt(atMs);
    this.currentCellKw = this.kwAt(atMs) - this.auxiliaryKw;
  }

  /** Constant power of the flow over a period in kW; NaN where it changes. */
  constantKw(fromMs: EpochMs, toMs: EpochMs): number {
    if (this.boundMs <= fromMs) return this.auxiliaryKw;
    return this.boundMs < toMs ? Number.NaN : this.kw;
  }
}
