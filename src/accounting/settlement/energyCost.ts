import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Series } from "../../engine/series/model/series.ts";
import { REGISTER } from "../../engine/site/meters/energyRegisters.ts";
import type { SiteMeter } from "../meters/compositeMeter.ts";

/** Cost of all sites' imports less the revenue of their exports, at a price that varies over time. */
export class EnergyCost extends Copyable {
  private readonly meters: readonly SiteMeter[];
  private readonly price: Series;
  private readonly endMs: EpochMs;
  private fromMs: EpochMs;
  /** Net import until `fromMs`, and its cost, by site. */
  private readonly netKwh: Float64Array;
  readonly costJpyBySite: Float64Array;
  /** The same of imports alone. */
  private readonly importKwh: Float64Array;
  readonly importJpyBySite: Float64Array;

  constructor(meters: readonly SiteMeter[], priceJpyPerKwh: Series, startMs: EpochMs, endMs: EpochMs) {
    super();
    this.meters = meters;
    this.price = priceJpyPerKwh;
    this.fromMs = startMs;
    this.endMs = endMs;
    this.netKwh = new Float64Array(meters.length);
    this.costJpyBySite = new Float64Array(meters.length);
    this.importKwh = new Float64Array(meters.length);
    this.importJpyBySite = new Float64Array(meters.length);
  }

  /** End of the current interval of constant price; `Infinity` after the end of the run. */
  get dueMs(): EpochMs {
    if (this.endMs <= this.fromMs) return Number.POSITIVE_INFINITY;
    return Math.min(this.price.nextChangeMs(this.fromMs), this.endMs);
  }

  /**
   * Values every interval of constant price that ends at or before `atMs`. The sites' current trajectories must hold
   * until then.
   */
  recordThrough(atMs: EpochMs): void {
    for (let dueMs = this.dueMs; dueMs <= atMs; dueMs = this.dueMs) {
      const meanPrice = (this.price.integrate(this.fromMs, dueMs) * MS_PER_HOUR) / (dueMs - this.fromMs);
      for (const meter of this.meters) {
        const { index } = meter.site;
        const registers = meter.read(dueMs);
        const importKwh = registers[REGISTER.import];
        const netKwh = importKwh - registers[REGISTER.export];
        this.costJpyBySite[index] += meanPrice * (netKwh - this.netKwh[index]);
        this.netKwh[index] = netKwh;
        this.importJpyBySite[index] += meanPrice * (importKwh - this.importKwh[index]);
        this.importKwh[index] = importKwh;
      }
      this.fromMs = dueMs;
    }
  }
}
