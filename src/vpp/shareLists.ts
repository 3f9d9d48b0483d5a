import { Copyable } from "../base/copyState.ts";

/** What a dispatch works out about its sharers, in lists that the next one uses again. */
export class ShareLists extends Copyable {
  /** Those who take part at hand: position in the table, what they are to be told, and what cut it. */
  sharers = new Int32Array(0);
  deltas = new Int32Array(0);
  /** Sites of kept batteries whose laws end here. */
  closing = new Int32Array(0);
  cuts = new Uint8Array(0);
  /** How far the set-point of an array may rise above what it is told, in tenths, signed; the delta itself where it may not. */
  reaches = new Int32Array(0);
  widths = new Int32Array(0);
  widthCuts = new Uint8Array(0);
  /** Sharers of one part: their place among the above, weight, what they can take, what they get. */
  places = new Int32Array(0);
  weights = new Float64Array(0);
  capsTenths = new Int32Array(0);
  sharesTenths = new Int32Array(0);

  /** Makes room for so many members. */
  reserve(count: number): void {
    if (count <= this.sharers.length) return;
    this.sharers = new Int32Array(count);
    this.closing = new Int32Array(count);
    this.deltas = new Int32Array(count);
    this.cuts = new Uint8Array(count);
    this.reaches = new Int32Array(count);
    this.widths = new Int32Array(count);
    this.widthCuts = new Uint8Array(count);
    this.places = new Int32Array(count);
    this.weights = new Float64Array(count);
    this.capsTenths = new Int32Array(count);
    this.sharesTenths = new Int32Array(count);
  }
}
