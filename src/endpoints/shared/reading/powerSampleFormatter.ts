import type { CompoundBreakdown } from "../../../accounting/history/compoundBreakdownLog.ts";
import type { PastSite } from "../../../accounting/history/pastSite.ts";
import { roundTo, toTenths } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { GridFrequency } from "../../../device/frequency/gridFrequency.ts";
import type { SiteOrder } from "../../../site/orders/siteOrder.ts";
import { readComponentPower } from "./componentReading.ts";
import { currentKw, newSiteReading, readOrders, readState, type SiteReading } from "./siteReading.ts";

/**
 * One site's part of a power history as JSON text, sample after sample.
 *
 * Long histories are asked for: what the law alone decides is written once for each law, and a sample that shows what
 * the one before showed is not written again.
 */
export class PowerSampleFormatter {
  readonly reading: SiteReading = newSiteReading();
  readonly pastSite: PastSite;
  /** What the site carries of the parts of a compound. */
  compoundBreakdown: CompoundBreakdown | null = null;
  readonly #formatOrders: (reading: SiteReading, breakdown: CompoundBreakdown | null) => string;
  readonly #breakdownOf: BreakdownOf | null;
  readonly #formatMeasurements: (reading: SiteReading) => string;
  readonly #hasComponents: boolean;
  #atMs: EpochMs = Number.NaN;
  #trajectoryStartMs: EpochMs = Number.NaN;
  #ordersText = "";
  #text = "";
  #currentTenths = Number.NaN;
  #baselineTenths = Number.NaN;
  #socTenths = Number.NaN;
  #irradianceTenths = Number.NaN;
  #isNewTrajectory = false;

  /**
   * @param told      members that the law alone decides, after a comma; the last thing in the text
   * @param measured  what comes before, from the opening brace on
   * @param hasComponents whether the components of a site of several are told of
   * @param breakdownOf what a compound's parts at the site are; `null` where they are not told of
   */
  constructor(
    past: PastSite,
    measured: (reading: SiteReading) => string,
    told: (reading: SiteReading, breakdown: CompoundBreakdown | null) => string,
    {
      hasComponents: withParts,
      breakdownOf,
    }: { readonly hasComponents: boolean; readonly breakdownOf: BreakdownOf | null },
  ) {
    this.#breakdownOf = breakdownOf;
    this.pastSite = past;
    this.#hasComponents = withParts && past.site.resource.composite !== null;
    this.#formatOrders = told;
    this.#formatMeasurements = measured;
  }

  /** Reads the sample of an instant, later than the last. @returns whether there is one */
  read(atMs: EpochMs): boolean {
    const { pastSite: past, reading } = this;
    if (!past.seek(atMs)) return false;
    const { site } = past;
    this.#atMs = atMs;
    if (past.trajectoryStartMs !== this.#trajectoryStartMs) {
      this.#trajectoryStartMs = past.trajectoryStartMs;
      reading.isInService = site.isInService;
      readOrders(site, reading);
      this.compoundBreakdown = this.#readBreakdown();
      this.#ordersText = this.#formatOrders(reading, this.compoundBreakdown);
      this.#isNewTrajectory = true;
    }
    reading.baselineTenths = toTenths(site.reportedBaselineKw(atMs));
    reading.currentTenths = reading.isInService ? toTenths(currentKw(site, atMs)) : Number.NaN;
    reading.deltaTenths = reading.currentTenths - reading.baselineTenths;
    readState(site, atMs, reading);
    return true;
  }

  #readBreakdown(): CompoundBreakdown | null {
    if (this.#breakdownOf === null || !this.reading.isInService) return null;
    const { activeOrders: ruling, index } = this.pastSite.site;
    for (const { order } of ruling)
      if (order.sku === "compound") return this.#breakdownOf(order, index, this.#trajectoryStartMs);
    return null;
  }

  /** The text of the sample that was read, without its closing brace. */
  get json(): string {
    const { reading } = this;
    if (this.#isNewTrajectory || !this.#isUnchanged(reading)) {
      this.#isNewTrajectory = false;
      this.#currentTenths = reading.currentTenths;
      this.#baselineTenths = reading.baselineTenths;
      this.#socTenths = reading.socTenths;
      this.#irradianceTenths = reading.irradianceTenths;
      this.#text = this.#formatMeasurements(reading) + this.#ordersText;
    }
    if (!this.#hasComponents) return this.#text;
    return `${this.#text},"components":${JSON.stringify(readComponentPower(this.pastSite.site, this.#atMs))}`;
  }

  #isUnchanged({ currentTenths, baselineTenths, socTenths, irradianceTenths }: SiteReading): boolean {
    return (
      Object.is(currentTenths, this.#currentTenths) &&
      baselineTenths === this.#baselineTenths &&
      Object.is(socTenths, this.#socTenths) &&
      Object.is(irradianceTenths, this.#irradianceTenths)
    );
  }
}

type BreakdownOf = (order: SiteOrder, site: number, atMs: EpochMs) => CompoundBreakdown | null;

/** Tenths as JSON text; NaN is null. */
export const tenthsJson = (tenths: number): string => (Number.isNaN(tenths) ? "null" : `${tenths / 10}`);

/** Grid frequency in Hz, to a thousandth. */
export const frequencyHzAt = (frequency: GridFrequency, atMs: EpochMs): number => roundTo(frequency.hzAt(atMs), 3);
