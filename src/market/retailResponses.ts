import type { SiteMeter } from "../accounting/meters/compositeMeter.ts";
import type { EpochMs } from "../base/time.ts";
import { DISPATCH_OUTCOME, type Instruction } from "../engine/vpp/instructions/instruction.ts";
import { changeOf, type MeterReading, readMeter } from "./meterReading.ts";

/** Response of sites on a retail tariff to awards in a slot, in kWh. */
interface RetailResponse {
  /** Import less the import of the baseline while an award was in force. */
  readonly responseKwh: number;
  /** Part of it under `negawatt-spot`. */
  readonly negawattKwh: number;
}

interface SiteResponse {
  readonly awards: Set<Instruction>;
  /** Registers at the last change of `awards` or at the start of the slot. */
  since: MeterReading;
  responseKwh: number;
  negawattKwh: number;
}

/** Measures the response of sites on a retail tariff to awards (docs/model/settlement.md#retail). */
export class RetailResponses {
  private readonly meters: readonly SiteMeter[];
  private readonly isRetail: (site: number) => boolean;
  private readonly bySite = new Map<number, SiteResponse>();

  /** @param isRetail  by index of the site */
  constructor(meters: readonly SiteMeter[], isRetail: (site: number) => boolean) {
    this.meters = meters;
    this.isRetail = isRetail;
  }

  /** An award was dispatched for the first time or again. */
  onDispatched(award: Instruction, atMs: EpochMs): void {
    award.membership.siteIndices.forEach((site, i) => {
      if (!this.isRetail(site)) return;
      if (award.table?.status[i] === DISPATCH_OUTCOME.dispatched) this.begin(site, award, atMs);
      else this.end(site, award, atMs);
    });
  }

  onEnded(award: Instruction, atMs: EpochMs): void {
    for (const site of award.membership.siteIndices) if (this.isRetail(site)) this.end(site, award, atMs);
  }

  /** Responses of a site since the last call, which then begins the next slot. */
  take(site: number, atMs: EpochMs): RetailResponse {
    const response = this.bySite.get(site);
    if (response === undefined) return NO_RESPONSE;
    this.measure(site, response, atMs);
    const { responseKwh, negawattKwh } = response;
    response.responseKwh = 0;
    response.negawattKwh = 0;
    return { responseKwh, negawattKwh };
  }

  private begin(site: number, award: Instruction, atMs: EpochMs): void {
    let response = this.bySite.get(site);
    if (response === undefined) {
      response = { awards: new Set(), since: readMeter(this.meters[site], atMs), responseKwh: 0, negawattKwh: 0 };
      this.bySite.set(site, response);
    }
    if (response.awards.has(award)) return;
    this.measure(site, response, atMs);
    response.awards.add(award);
  }

  private end(site: number, award: Instruction, atMs: EpochMs): void {
    const response = this.bySite.get(site);
    if (response?.awards.has(award) !== true) return;
    this.measure(site, response, atMs);
    response.awards.delete(award);
  }

  private measure(site: number, response: SiteResponse, atMs: EpochMs): void {
    const { awards, since } = response;
    const now = readMeter(this.meters[site], atMs);
    response.since = now;
    if (awards.size === 0) return;
    const { importKwh, baselineKwh } = changeOf(now, since);
    const kwh = importKwh - Math.max(0, baselineKwh);
    response.responseKwh += kwh;
    if ([...awards].some(({ sku }) => sku === "negawatt-spot")) response.negawattKwh += kwh;
  }
}

export const NO_RESPONSE: RetailResponse = { responseKwh: 0, negawattKwh: 0 };
