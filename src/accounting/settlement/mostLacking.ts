import type { Site } from "../../site/site.ts";
import type { AwardAccount } from "./awardAccount.ts";
import { CAUSES, type Cause } from "./causes.ts";

/** What one member lacked for one cause. */
export interface MemberLack {
  readonly site: string;
  readonly cause: Cause;
  readonly kwh: number;
}

const MOST = 3;

/** The members that lacked most over the executed pieces of one award, largest first, at most three; ties in order. */
export function mostLacking(pieces: readonly AwardAccount[], sites: readonly Site[]): MemberLack[] {
  const most = new Most();
  if (pieces.length === 1) eachLack(pieces[0], (place, kwh) => most.offer(place, kwh));
  else {
    const sums = new Map<number, number>();
    for (const piece of pieces) eachLack(piece, (place, kwh) => sums.set(place, (sums.get(place) ?? 0) + kwh));
    for (const [place, kwh] of sums) most.offer(place, kwh);
  }
  return most.places.map((place, k) => ({
    site: sites[Math.floor(place / CAUSES.length)].spec.name,
    cause: CAUSES[place % CAUSES.length],
    kwh: most.kwh[k],
  }));
}

/** Calls with site index and cause as one number, and kWh, for each member and cause that lacked something. */
function eachLack({ memberKwh, instruction }: AwardAccount, visit: (place: number, kwh: number) => void): void {
  if (memberKwh === null) return;
  const { sites } = instruction.membership;
  for (let i = 0, k = 0; i < sites.length; i++)
    for (let cause = 0; cause < CAUSES.length; cause++, k++)
      if (memberKwh[k] > 0) visit(sites[i] * CAUSES.length + cause, memberKwh[k]);
}

/** The largest few of what is offered, without sorting the rest: a year has millions of lacks. */
class Most {
  readonly places: number[] = [];
  readonly kwh: number[] = [];

  offer(place: number, kwh: number): void {
    let k = this.kwh.length;
    if (k < MOST) k++;
    else if (kwh <= this.kwh[MOST - 1]) return;
    // Smaller ones move down by one; the last of three falls off.
    for (k--; k > 0 && this.kwh[k - 1] < kwh; k--) {
      this.kwh[k] = this.kwh[k - 1];
      this.places[k] = this.places[k - 1];
    }
    this.kwh[k] = kwh;
    this.places[k] = place;
  }
}
