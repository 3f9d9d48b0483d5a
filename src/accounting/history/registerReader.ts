import type { EpochMs } from "../../base/time.ts";
import { computeSumRegisters, registerCount } from "../meters/componentRegisters.ts";
import type { PastSite } from "./pastSite.ts";

/**
 * Energy of one site from cut to cut: for each leaf the rounded register at the end less the rounded one at the start,
 * so that the records of any cut sum to the whole (docs/model/accounting.md#energy-registers).
 */
export class RegisterReader {
  /** kWh by register (`REGISTER`; several components: `SUM`, `PART_LEAF`) of the last cut, in whole units of 1 / `scale`. */
  readonly values: Float64Array;
  private readonly pastSite: PastSite;
  private readonly unitsPerKwh: number;
  private readonly roundedRegisters: Float64Array;

  /** @param scale  units in a kWh: 10 for one decimal, 1000 for three */
  constructor(past: PastSite, scale: number, fromMs: EpochMs) {
    this.pastSite = past;
    this.unitsPerKwh = scale;
    const count = registerCount(past.site);
    this.values = new Float64Array(count);
    this.roundedRegisters = new Float64Array(count);
    this.advanceTo(fromMs);
  }

  /** Makes `values` the energy from the last cut to this one. */
  advanceTo(atMs: EpochMs): void {
    const registers = this.pastSite.registersAt(atMs);
    for (let k = 0; k < registers.length; k++) {
      // Registers only rise from 0, but for the baseline's.
      const units = registers[k] * this.unitsPerKwh;
      const rounded = Math.sign(units) * Math.round(Math.abs(units));
      this.values[k] = rounded - this.roundedRegisters[k];
      this.roundedRegisters[k] = rounded;
    }
    computeSumRegisters(this.pastSite.site, this.values);
  }
}
