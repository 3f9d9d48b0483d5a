import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { Series } from "../../engine/series/model/series.ts";
import { REGISTER } from "../../engine/site/meters/energyRegisters.ts";
import type { SiteMeter } from "../meters/compositeMeter.ts";
import type { Bins } from "../recorders/envelope.ts";
import { type TradedHours, TradedHoursSum } from "../recorders/tradedHours.ts";

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
  /** `null`: not recorded by hour. */
  private readonly byHour: HourReadings | null;

  /** @param hours  in which what is traded is summed; `null`: not at all */
  constructor(
    meters: readonly SiteMeter[],
    priceJpyPerKwh: Series,
    { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
    hours: Bins | null,
  ) {
    super();
    this.byHour = hours === null ? null : new HourReadings(hours, startMs, meters.length);
    this.meters = meters;
    this.price = priceJpyPerKwh;
    this.fromMs = startMs;
    this.endMs = endMs;
    this.netKwh = new Float64Array(meters.length);
    this.costJpyBySite = new Float64Array(meters.length);
    this.importKwh = new Float64Array(meters.length);
    this.importJpyBySite = new Float64Array(meters.length);
  }

  get traded(): TradedHours | null {
    return this.byHour?.sum.finish() ?? null;
  }

  /** End of the current interval of constant price, or of the hour; `Infinity` after the end of the run. */
  get dueMs(): EpochMs {
    if (this.endMs <= this.fromMs) return Number.POSITIVE_INFINITY;
    return Math.min(this.priceEndMs, this.byHour?.hourEndMs ?? Number.POSITIVE_INFINITY);
  }

  private get priceEndMs(): EpochMs {
    return Math.min(this.price.nextChangeMs(this.fromMs), this.endMs);
  }

  /**
   * Values every interval of constant price that ends at or before `atMs`. The sites' current trajectories must hold
   * until then.
   */
  recordThrough(atMs: EpochMs): void {
    for (let dueMs = this.dueMs; dueMs <= atMs; dueMs = this.dueMs) {
      this.byHour?.recordThrough(this.meters, this.price, dueMs);
      if (dueMs < this.priceEndMs) continue;
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

/** What the meters show at each change of the price and each end of an hour. */
class HourReadings extends Copyable {
  readonly sum: TradedHoursSum;
  private readonly hours: Bins;
  private fromMs: EpochMs;
  private readonly importKwh: Float64Array;
  private readonly exportKwh: Float64Array;

  constructor(hours: Bins, startMs: EpochMs, siteCount: number) {
    super();
    this.sum = new TradedHoursSum(hours);
    this.hours = hours;
    this.fromMs = startMs;
    this.importKwh = new Float64Array(siteCount);
    this.exportKwh = new Float64Array(siteCount);
  }

  get hourEndMs(): EpochMs {
    const { startMs, binMs } = this.hours;
    return startMs + (Math.floor((this.fromMs - startMs) / binMs) + 1) * binMs;
  }

  /** @param toMs  at most the end of the hour, and the next change of the price */
  recordThrough(meters: readonly SiteMeter[], price: Series, toMs: EpochMs): void {
    const { fromMs } = this;
    const meanPrice = (price.integrate(fromMs, toMs) * MS_PER_HOUR) / (toMs - fromMs);
    for (const meter of meters) {
      const { index } = meter.site;
      const registers = meter.read(toMs);
      const [importKwh, exportKwh] = [registers[REGISTER.import], registers[REGISTER.export]];
      this.sum.add(fromMs, importKwh - this.importKwh[index], exportKwh - this.exportKwh[index], meanPrice);
      this.importKwh[index] = importKwh;
      this.exportKwh[index] = exportKwh;
    }
    this.fromMs = toMs;
  }
}
