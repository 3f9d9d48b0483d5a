import type { EpochMs } from "../../base/time.ts";
import { closeSums, registerCount } from "../meters/partLeaves.ts";
import type { PastSite } from "./pastSite.ts";

/**
 * Energy of one site from cut to cut: for each leaf the rounded register at the end less the rounded one at the start,
 * so that the records of any cut sum to the whole (decisions.md 12).
 */
export class LeafReader {
  /** kWh by register (`LEAF`; several components: `SUM`, `PART_LEAF`) of the last cut, in whole units of 1 / `scale`. */
  readonly values: Float64Array;
  private readonly past: PastSite;
  private readonly scale: number;
  private readonly rounded: Float64Array;

  /** @param scale  units in a kWh: 10 for one decimal, 1000 for three */
  constructor(past: PastSite, scale: number, fromMs: EpochMs) {
    this.past = past;
    this.scale = scale;
    const count = registerCount(past.site);
    this.values = new Float64Array(count);
    this.rounded = new Float64Array(count);
    this.cut(fromMs);
  }

  /** Makes `values` the energy from the last cut to this one. */
  cut(atMs: EpochMs): void {
    const registers = this.past.registersAt(atMs);
    for (let k = 0; k < registers.length; k++) {
      // Registers only rise from 0, but for the baseline's.
      const units = registers[k] * this.scale;
      const rounded = Math.sign(units) * Math.round(Math.abs(units));
      this.values[k] = rounded - this.rounded[k];
      this.rounded[k] = rounded;
    }
    closeSums(this.past.site, this.values);
  }
}
