import { Copyable } from "../../base/copyState.ts";
import type { Membership } from "../instructions/instruction.ts";

/** How a member takes part in the dispatch at hand. */
export const MARK = {
  no: 0,
  /** By a battery that a bank keeps. */
  battery: 1,
  other: 2,
} as const;

/** What a dispatch works out about its sharers, in lists that the next one uses again. */
export class ShareLists extends Copyable {
  /** By position in the table, how each member takes part; one of `MARK`. */
  marks = new Uint8Array(0);
  /** How many do by a battery that a bank keeps. */
  batteryCount = 0;
  /** Those who take part at hand: position in the table, what they are to be told, and what cut it. */
  sharers = new Int32Array(0);
  deltas = new Int32Array(0);
  cuts = new Uint8Array(0);
  /** How far the set-point of an array may rise above what it is told, in tenths, signed; the delta itself where it may not. */
  reaches = new Int32Array(0);
  widths = new Int32Array(0);
  widthCuts = new Uint8Array(0);
  /** Sharers of one part: their place among the above, weight, what they can take, what they get. */
  places = new Int32Array(0);
  /** The places where all sharers have the part. */
  inOrder = new Int32Array(0);
  weights = new Float64Array(0);
  capsTenths = new Int32Array(0);
  sharesTenths = new Int32Array(0);

  /** Makes room for so many members. */
  reserve(count: number): void {
    if (count <= this.sharers.length) return;
    this.marks = new Uint8Array(count);
    this.sharers = new Int32Array(count);
    this.deltas = new Int32Array(count);
    this.cuts = new Uint8Array(count);
    this.reaches = new Int32Array(count);
    this.widths = new Int32Array(count);
    this.widthCuts = new Uint8Array(count);
    this.places = new Int32Array(count);
    this.inOrder = new Int32Array(count).map((_, k) => k);
    this.weights = new Float64Array(count);
    this.capsTenths = new Int32Array(count);
    this.sharesTenths = new Int32Array(count);
  }

  /** Lists those that are marked, with their weights, in order of registration. @returns how many */
  listMarked({ weights }: Membership): number {
    const { marks, sharers, weights: sharing } = this;
    let count = 0;
    for (let i = 0; i < weights.length; i++) {
      if (marks[i] === MARK.no) continue;
      sharing[count] = weights[i];
      sharers[count++] = i;
    }
    return count;
  }
}
