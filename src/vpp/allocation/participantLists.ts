import { Copyable } from "../../base/copyState.ts";
import type { Membership } from "../instructions/instruction.ts";

/** How a member takes part in the dispatch at hand. */
export const PARTICIPATION = {
  none: 0,
  /** By a battery that a bank keeps. */
  batchedBattery: 1,
  other: 2,
} as const;

/** What a dispatch works out about its sharers, in lists that the next one uses again. */
export class ParticipantLists extends Copyable {
  /** By position in the table, how each member takes part; one of `MARK`. */
  participation = new Uint8Array(0);
  /** How many do by a battery that a bank keeps. */
  batchedBatteryCount = 0;
  /** Those who take part at hand: position in the table, what they are to be told, and what cut it. */
  participants = new Int32Array(0);
  deltaTenths = new Int32Array(0);
  deltaLimits = new Uint8Array(0);
  /** How far the set-point of an array may rise above what it is told, in tenths, signed; the delta itself where it may not. */
  setpointCeilingTenths = new Int32Array(0);
  fcrCapacityTenths = new Int32Array(0);
  fcrCapacityLimits = new Uint8Array(0);
  /** Sharers of one part: their place among the above, weight, what they can take, what they get. */
  positions = new Int32Array(0);
  /** The places where all sharers have the part. */
  identityPositions = new Int32Array(0);
  weights = new Float64Array(0);
  capabilityTenths = new Int32Array(0);
  sharesTenths = new Int32Array(0);

  /** Makes room for so many members. */
  ensureSize(count: number): void {
    if (count <= this.participants.length) return;
    this.participation = new Uint8Array(count);
    this.participants = new Int32Array(count);
    this.deltaTenths = new Int32Array(count);
    this.deltaLimits = new Uint8Array(count);
    this.setpointCeilingTenths = new Int32Array(count);
    this.fcrCapacityTenths = new Int32Array(count);
    this.fcrCapacityLimits = new Uint8Array(count);
    this.positions = new Int32Array(count);
    this.identityPositions = new Int32Array(count).map((_, k) => k);
    this.weights = new Float64Array(count);
    this.capabilityTenths = new Int32Array(count);
    this.sharesTenths = new Int32Array(count);
  }

  /** Lists those that are marked, with their weights, in order of registration. @returns how many */
  listParticipants({ weights }: Membership): number {
    const { participation: marks, participants: sharers, weights: sharing } = this;
    let count = 0;
    for (let i = 0; i < weights.length; i++) {
      if (marks[i] === PARTICIPATION.none) continue;
      sharing[count] = weights[i];
      sharers[count++] = i;
    }
    return count;
  }
}
