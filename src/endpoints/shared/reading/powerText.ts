import type { Breakdown } from "../../../accounting/history/breakdownLog.ts";
import type { PastSite } from "../../../accounting/history/pastSite.ts";
import { roundTo, toTenths } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { GridFrequency } from "../../../device/frequency/gridFrequency.ts";
import type { SiteOrder } from "../../../site/orders/siteOrder.ts";
import { partPower } from "./partReading.ts";
import { currentKw, newReading, readOrders, readState, type SiteReading } from "./siteReading.ts";

/**
 * One site's part of a power history as JSON text, sample after sample.
 *
 * Long histories are asked for: what the law alone decides is written once for each law, and a sample that shows what
 * the one before showed is not written again.
 */
export class PowerText {
  readonly reading: SiteReading = newReading();
  readonly past: PastSite;
  /** What the site carries of the parts of a compound. */
  breakdown: Breakdown | null = null;
  readonly #told: (reading: SiteReading, breakdown: Breakdown | null) => string;
  readonly #breakdownOf: BreakdownOf | null;
  readonly #measured: (reading: SiteReading) => string;
  readonly #withParts: boolean;
  #atMs: EpochMs = Number.NaN;
  #sinceMs: EpochMs = Number.NaN;
  #toldText = "";
  #text = "";
  #currentTenths = Number.NaN;
  #baselineTenths = Number.NaN;
  #socTenths = Number.NaN;
  #irradianceTenths = Number.NaN;
  #fresh = false;

  /**
   * @param told      members that the law alone decides, after a comma; the last thing in the text
   * @param measured  what comes before, from the opening brace on
   * @param withParts whether the components of a site of several are told of
   * @param breakdownOf what a compound's parts at the site are; `null` where they are not told of
   */
  constructor(
    past: PastSite,
    measured: (reading: SiteReading) => string,
    told: (reading: SiteReading, breakdown: Breakdown | null) => string,
    { withParts, breakdownOf }: { readonly withParts: boolean; readonly breakdownOf: BreakdownOf | null },
  ) {
    this.#breakdownOf = breakdownOf;
    this.past = past;
    this.#withParts = withParts && past.site.unit.kind === "multi_component";
    this.#told = told;
    this.#measured = measured;
  }

  /** Reads the sample of an instant, later than the last. @returns whether there is one */
  read(atMs: EpochMs): boolean {
    const { past, reading } = this;
    if (!past.seek(atMs)) return false;
    const { site } = past;
    this.#atMs = atMs;
    if (past.sinceMs !== this.#sinceMs) {
      this.#sinceMs = past.sinceMs;
      reading.inService = site.inService;
      readOrders(site, reading);
      this.breakdown = this.#breakdownNow();
      this.#toldText = this.#told(reading, this.breakdown);
      this.#fresh = true;
    }
    reading.baselineTenths = toTenths(site.reportedBaselineKw(atMs));
    reading.currentTenths = reading.inService ? toTenths(currentKw(site, atMs)) : Number.NaN;
    reading.deltaTenths = reading.currentTenths - reading.baselineTenths;
    readState(site, atMs, reading);
    return true;
  }

  #breakdownNow(): Breakdown | null {
    if (this.#breakdownOf === null || !this.reading.inService) return null;
    const { ruling, index } = this.past.site;
    for (const { order } of ruling) if (order.sku === "compound") return this.#breakdownOf(order, index, this.#sinceMs);
    return null;
  }

  /** The text of the sample that was read, without its closing brace. */
  get text(): string {
    const { reading } = this;
    if (this.#fresh || !this.#isAsBefore(reading)) {
      this.#fresh = false;
      this.#currentTenths = reading.currentTenths;
      this.#baselineTenths = reading.baselineTenths;
      this.#socTenths = reading.socTenths;
      this.#irradianceTenths = reading.irradianceTenths;
      this.#text = this.#measured(reading) + this.#toldText;
    }
    if (!this.#withParts) return this.#text;
    return `${this.#text},"components":${JSON.stringify(partPower(this.past.site, this.#atMs))}`;
  }

  #isAsBefore({ currentTenths, baselineTenths, socTenths, irradianceTenths }: SiteReading): boolean {
    return (
      Object.is(currentTenths, this.#currentTenths) &&
      baselineTenths === this.#baselineTenths &&
      Object.is(socTenths, this.#socTenths) &&
      Object.is(irradianceTenths, this.#irradianceTenths)
    );
  }
}

type BreakdownOf = (order: SiteOrder, site: number, atMs: EpochMs) => Breakdown | null;

/** Tenths as JSON text; NaN is null. */
export const tenthsText = (tenths: number): string => (Number.isNaN(tenths) ? "null" : `${tenths / 10}`);

/** Grid frequency in Hz, to a thousandth. */
export const frequencyAt = (frequency: GridFrequency, atMs: EpochMs): number => roundTo(frequency.hzAt(atMs), 3);
