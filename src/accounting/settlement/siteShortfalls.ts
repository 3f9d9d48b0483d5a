import { Copyable } from "../../base/copyState.ts";
import type { Site } from "../../engine/site/site.ts";
import type { SiteShortfall } from "../runRecord.ts";
import type { AwardAccount } from "./awardAccount.ts";
import { CAUSES } from "./causes.ts";

/**
 * Sums the shortfall of each site by cause over all executed awards. Refused awards, and those that no member with a
 * weight can serve, belong to no site.
 */
export class SiteShortfalls extends Copyable {
  private readonly sites: readonly Site[];
  /** kWh by site and cause, site-major. */
  private readonly kwh: Float64Array;

  constructor(sites: readonly Site[]) {
    super();
    this.sites = sites;
    this.kwh = new Float64Array(sites.length * CAUSES.length);
  }

  /** Adds a closed account. */
  add({ attribution, instruction }: AwardAccount): void {
    const { siteIndices } = instruction.membership;
    attribution?.forEachMemberShortfall((member, cause, kwh) => {
      this.kwh[siteIndices[member] * CAUSES.length + cause] += kwh;
    });
  }

  rows(): readonly SiteShortfall[] {
    return this.sites
      .map(({ spec }, k) => ({
        site: spec.name,
        byCauseKwh: this.kwh.slice(k * CAUSES.length, (k + 1) * CAUSES.length),
      }))
      .filter(({ byCauseKwh }) => byCauseKwh.some((kwh) => 0 < kwh));
  }
}
