import type { Site } from "../../site/site.ts";
import type { AwardAccount } from "./awardAccount.ts";
import { CAUSES, type Cause } from "./causes.ts";

/** What one member lacked for one cause. */
export interface MemberShortfall {
  readonly site: string;
  readonly cause: Cause;
  readonly kwh: number;
}

const CONTRIBUTORS_MAX = 3;

/** The members that lacked most over the executed pieces of one award, largest first, at most three; ties in order. */
export function topContributors(pieces: readonly AwardAccount[], sites: readonly Site[]): MemberShortfall[] {
  const most = new TopList();
  if (pieces.length === 1) forEachShortfall(pieces[0], (place, kwh) => most.insert(place, kwh));
  else {
    const sums = new Map<number, number>();
    for (const piece of pieces) forEachShortfall(piece, (place, kwh) => sums.set(place, (sums.get(place) ?? 0) + kwh));
    for (const [place, kwh] of sums) most.insert(place, kwh);
  }
  return most.positions.map((place, k) => ({
    site: sites[Math.floor(place / CAUSES.length)].spec.name,
    cause: CAUSES[place % CAUSES.length],
    kwh: most.kwh[k],
  }));
}

/** Calls with site index and cause as one number, and kWh, for each member and cause that lacked something. */
function forEachShortfall(
  { memberShortfallKwh: memberKwh, instruction }: AwardAccount,
  visit: (place: number, kwh: number) => void,
): void {
  if (memberKwh === null) return;
  const { siteIndices: sites } = instruction.membership;
  for (let i = 0, k = 0; i < sites.length; i++)
    for (let cause = 0; cause < CAUSES.length; cause++, k++)
      if (memberKwh[k] > 0) visit(sites[i] * CAUSES.length + cause, memberKwh[k]);
}

/** The largest few of what is offered, without sorting the rest: a year has millions of lacks. */
class TopList {
  readonly positions: number[] = [];
  readonly kwh: number[] = [];

  insert(place: number, kwh: number): void {
    let k = this.kwh.length;
    if (k < CONTRIBUTORS_MAX) k++;
    else if (kwh <= this.kwh[CONTRIBUTORS_MAX - 1]) return;
    // Smaller ones move down by one; the last of three falls off.
    for (k--; k > 0 && this.kwh[k - 1] < kwh; k--) {
      this.kwh[k] = this.kwh[k - 1];
      this.positions[k] = this.positions[k - 1];
    }
    this.kwh[k] = kwh;
    this.positions[k] = place;
  }
}
