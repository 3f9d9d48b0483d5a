import { Copyable } from "../../base/copyState.ts";
import type { Site } from "../../engine/site/site.ts";
import type { SiteShortfall } from "../runRecord.ts";
import type { AwardAccount } from "./awardAccount.ts";
import { CAUSES, type Cause } from "./causes.ts";

/** Shortfall of one member for one cause. */
interface MemberShortfall {
  readonly site: string;
  readonly cause: Cause;
  readonly kwh: number;
}

const CONTRIBUTORS_MAX = 3;

/**
 * The members with the largest shortfall over the executed pieces of one award: at most three, largest first, ties in
 * member order.
 */
export function topContributors(pieces: readonly AwardAccount[], sites: readonly Site[]): MemberShortfall[] {
  const largest = new TopList();
  if (pieces.length === 1) forEachShortfall(pieces[0], (key, kwh) => largest.insert(key, kwh));
  else {
    const sums = new Map<number, number>();
    for (const piece of pieces) forEachShortfall(piece, (key, kwh) => sums.set(key, (sums.get(key) ?? 0) + kwh));
    for (const [key, kwh] of sums) largest.insert(key, kwh);
  }
  return largest.keys.map((key, k) => ({
    site: sites[Math.floor(key / CAUSES.length)].spec.name,
    cause: CAUSES[key % CAUSES.length],
    kwh: largest.kwh[k],
  }));
}

/** Calls `visit` for each member and cause with a shortfall; the key packs site index and cause. */
function forEachShortfall(
  { attribution, instruction }: Pick<AwardAccount, "attribution" | "instruction">,
  visit: (key: number, kwh: number) => void,
): void {
  const { siteIndices } = instruction.membership;
  attribution?.forEachMemberShortfall((member, cause, kwh) => visit(siteIndices[member] * CAUSES.length + cause, kwh));
}

/** Keeps the largest `CONTRIBUTORS_MAX` values inserted, without sorting: a year has millions of shortfalls. */
class TopList {
  readonly keys: number[] = [];
  readonly kwh: number[] = [];

  insert(key: number, kwh: number): void {
    let k = this.kwh.length;
    if (k < CONTRIBUTORS_MAX) k++;
    else if (kwh <= this.kwh[CONTRIBUTORS_MAX - 1]) return;
    // Smaller ones move down by one; the last one is dropped.
    for (k--; k > 0 && this.kwh[k - 1] < kwh; k--) {
      this.kwh[k] = this.kwh[k - 1];
      this.keys[k] = this.keys[k - 1];
    }
    this.kwh[k] = kwh;
    this.keys[k] = key;
  }
}

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
