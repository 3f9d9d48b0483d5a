import { Copyable } from "../../../base/copyState.ts";

/** Participation of a member in the current dispatch. */
export const PARTICIPATION = {
  none: 0,
  /** With a battery that executes this order or none. */
  soleBattery: 1,
  other: 2,
} as const;

/** Intermediate results of a dispatch; the lists are reused by the next one. */
export class ParticipantLists extends Copyable {
  /** One of `PARTICIPATION` per member, by row of the dispatch table. */
  participation = new Uint8Array(0);
  /** Participants: row in the dispatch table, signed tenths of kW, and one of `CAPABILITY_LIMIT`. */
  participants = new Int32Array(0);
  deltaTenths = new Int32Array(0);
  deltaLimits = new Uint8Array(0);
  /** Upper limit of a PV plant's set-point that follows the available power, in signed tenths of kW; else the delta. */
  setpointCeilingTenths = new Int32Array(0);
  fcrCapacityTenths = new Int32Array(0);
  fcrCapacityLimits = new Uint8Array(0);
  /** Participants in one service: index in `participants`, weight, capability and share in tenths of kW. */
  positions = new Int32Array(0);
  /** Used instead of `positions` if all participants provide the service. */
  identityPositions = new Int32Array(0);
  weights = new Float64Array(0);
  capabilityTenths = new Int32Array(0);
  sharesTenths = new Int32Array(0);
  remainders = new Float64Array(0);
  sortedRemainders = new Float64Array(0);

  /** Enlarges the lists to `count` members. */
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
    this.remainders = new Float64Array(count);
    this.sortedRemainders = new Float64Array(count);
  }
}
