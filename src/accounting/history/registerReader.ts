import type { EpochMs } from "../../base/time.ts";
import { computeSumRegisters, registerCount } from "../meters/componentRegisters.ts";
import type { PastSite } from "./pastSite.ts";

/**
 * Energy of one site between consecutive instants: for each register the rounded value at the end less the rounded
 * value at the start, so that the intervals of any division sum to the whole
 * (docs/model/accounting.md#energy-registers).
 */
export class RegisterReader {
  /**
   * Energy of the last interval by register (`REGISTER`; several components: `SUM_REGISTER`, `COMPONENT_REGISTER`), in
   * whole units of 1 / `scale` kWh.
   */
  readonly values: Float64Array;
  private readonly pastSite: PastSite;
  private readonly unitsPerKwh: number;
  private readonly roundedRegisters: Float64Array;

  /** @param scale  units per kWh: 10 for one decimal, 1000 for three */
  constructor(pastSite: PastSite, scale: number, fromMs: EpochMs) {
    this.pastSite = pastSite;
    this.unitsPerKwh = scale;
    const count = registerCount(pastSite.site);
    this.values = new Float64Array(count);
    this.roundedRegisters = new Float64Array(count);
    this.advanceTo(fromMs);
  }

  /** Sets `values` to the energy since the last instant. */
  advanceTo(atMs: EpochMs): void {
    const registers = this.pastSite.registersAt(atMs);
    for (let k = 0; k < registers.length; k++) {
      // All registers but the baseline's rise from 0; the baseline's can be negative.
      const units = registers[k] * this.unitsPerKwh;
      const rounded = Math.sign(units) * Math.round(Math.abs(units));
      this.values[k] = rounded - this.roundedRegisters[k];
      this.roundedRegisters[k] = rounded;
    }
    computeSumRegisters(this.pastSite.site, this.values);
  }
}
