import type { PastSite } from "../../../../accounting/history/pastSite.ts";
import type { CompoundBreakdown } from "../../../../accounting/history/runHistory.ts";
import { roundTo, toTenths } from "../../../../base/rounding.ts";
import type { EpochMs } from "../../../../base/time.ts";
import type { GridFrequency } from "../../../../engine/device/frequency/gridFrequency.ts";
import type { SiteOrder } from "../../../../engine/site/orders/siteOrder.ts";
import { shownKw } from "../../../../engine/site/shownReadings.ts";
import { isoSeconds } from "../wireTime.ts";
import { readComponentPower } from "./componentReading.ts";
import { newSiteReading, readOrders, readState, type SiteReading } from "./siteReading.ts";

/**
 * Formats the power history of one site as JSON text, sample by sample.
 *
 * Optimized for long histories: fields that are constant within a trajectory are formatted once per trajectory, and the
 * text of a sample equal to its predecessor is reused.
 */
export class PowerSampleFormatter {
  readonly reading: SiteReading = newSiteReading();
  readonly pastSite: PastSite;
  /** The site's shares in the legs of a compound order. */
  compoundBreakdown: CompoundBreakdown | null = null;
  private readonly formatOrders: (reading: SiteReading, breakdown: CompoundBreakdown | null) => string;
  private readonly breakdownOf: BreakdownOf | null;
  private readonly formatMeasurements: (reading: SiteReading) => string;
  private readonly hasComponents: boolean;
  private atMs: EpochMs = Number.NaN;
  private trajectoryStartMs: EpochMs = Number.NaN;
  private ordersText = "";
  private text = "";
  private currentTenths = Number.NaN;
  private baselineTenths = Number.NaN;
  private socTenths = Number.NaN;
  private irradianceTenths = Number.NaN;
  private isNewTrajectory = false;

  /**
   * @param formatMeasurements  formats the fields that vary within a trajectory, from the opening brace on
   * @param formatOrders        formats the fields that are constant within a trajectory, from a comma on
   * @param hasComponents       whether component fields are included for composite sites
   * @param breakdownOf         breakdown of a compound order; `null` to omit it
   */
  constructor(
    past: PastSite,
    formatMeasurements: (reading: SiteReading) => string,
    formatOrders: (reading: SiteReading, breakdown: CompoundBreakdown | null) => string,
    { hasComponents, breakdownOf }: { readonly hasComponents: boolean; readonly breakdownOf: BreakdownOf | null },
  ) {
    this.breakdownOf = breakdownOf;
    this.pastSite = past;
    this.hasComponents = hasComponents && past.site.resource.composite !== null;
    this.formatOrders = formatOrders;
    this.formatMeasurements = formatMeasurements;
  }

  /** Reads the sample of an instant, later than the last. @returns whether there is one */
  read(atMs: EpochMs): boolean {
    const { pastSite: past, reading } = this;
    if (!past.seek(atMs)) return false;
    const { site } = past;
    this.atMs = atMs;
    if (past.trajectoryStartMs !== this.trajectoryStartMs) {
      this.trajectoryStartMs = past.trajectoryStartMs;
      reading.isInService = site.isInService;
      readOrders(site, reading);
      this.compoundBreakdown = this.readBreakdown();
      this.ordersText = this.formatOrders(reading, this.compoundBreakdown);
      this.isNewTrajectory = true;
    }
    reading.baselineTenths = toTenths(site.reportedBaselineKw(atMs));
    reading.currentTenths = reading.isInService ? toTenths(shownKw(site, atMs)) : Number.NaN;
    reading.deltaTenths = reading.currentTenths - reading.baselineTenths;
    readState(site, atMs, reading);
    return true;
  }

  private readBreakdown(): CompoundBreakdown | null {
    if (this.breakdownOf === null || !this.reading.isInService) return null;
    const { activeOrders, index } = this.pastSite.site;
    for (const { order } of activeOrders)
      if (order.sku === "compound") return this.breakdownOf(order, index, this.trajectoryStartMs);
    return null;
  }

  /** The text of the sample that was read, without its closing brace. */
  get json(): string {
    const { reading } = this;
    if (this.isNewTrajectory || !this.isUnchanged(reading)) {
      this.isNewTrajectory = false;
      this.currentTenths = reading.currentTenths;
      this.baselineTenths = reading.baselineTenths;
      this.socTenths = reading.socTenths;
      this.irradianceTenths = reading.irradianceTenths;
      this.text = this.formatMeasurements(reading) + this.ordersText;
    }
    if (!this.hasComponents) return this.text;
    return `${this.text},"components":${JSON.stringify(readComponentPower(this.pastSite.site, this.atMs))}`;
  }

  private isUnchanged({ currentTenths, baselineTenths, socTenths, irradianceTenths }: SiteReading): boolean {
    return (
      Object.is(currentTenths, this.currentTenths) &&
      baselineTenths === this.baselineTenths &&
      Object.is(socTenths, this.socTenths) &&
      Object.is(irradianceTenths, this.irradianceTenths)
    );
  }
}

type BreakdownOf = (order: SiteOrder, site: number, atMs: EpochMs) => CompoundBreakdown | null;

/** Tenths as JSON text; NaN is null. */
export const tenthsJson = (tenths: number): string => (Number.isNaN(tenths) ? "null" : `${tenths / 10}`);

/** The samples of a site's power history at these instants as JSON objects, each with the grid frequency; none in a gap. */
export function* samplesWithFrequency(
  text: PowerSampleFormatter,
  instants: Iterable<EpochMs>,
  frequency: GridFrequency,
): Iterable<string> {
  for (const atMs of instants)
    if (text.read(atMs))
      yield `{"timestamp":"${isoSeconds(atMs)}","actual_frequency":${frequencyHzAt(frequency, atMs)},${text.json}}`;
}

/** Grid frequency in Hz, to a thousandth. */
export const frequencyHzAt = (frequency: GridFrequency, atMs: EpochMs): number => roundTo(frequency.hzAt(atMs), 3);
