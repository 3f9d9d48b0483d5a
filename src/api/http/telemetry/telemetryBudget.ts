import type { SharedFrame } from "./sharedFrame.ts";

/** Maximum bytes that telemetry holds for all readers together (docs/model/sandbox.md#telemetry-limits). */
export const BUDGET_BYTES_MAX = 64 * 1_048_576;

/** Memory of a log entry beside its frame, and of a frame beside its text, as measured on Node 20. */
const ENTRY_BYTES = 72;
const FRAME_BYTES = 320;

/** Counts the bytes that telemetry holds for all readers together; a shared frame counts once. */
export class TelemetryBudget {
  readonly maxBytes: number;
  usedBytes = 0;

  constructor(maxBytes = BUDGET_BYTES_MAX) {
    this.maxBytes = maxBytes;
  }

  get isExceeded(): boolean {
    return this.usedBytes > this.maxBytes;
  }

  hold(frame: SharedFrame): void {
    if (frame.holders++ === 0) this.usedBytes += FRAME_BYTES + frame.bytes.length;
    this.usedBytes += ENTRY_BYTES;
  }

  release(frame: SharedFrame): void {
    if (--frame.holders === 0) this.usedBytes -= FRAME_BYTES + frame.bytes.length;
    this.usedBytes -= ENTRY_BYTES;
  }
}
