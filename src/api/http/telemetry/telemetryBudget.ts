import type { MessageType } from "./subscription.ts";

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

/** A message without its number: serialised once, and shared by the logs of all its readers. */
export interface SharedFrame {
  /** From `,"type":` to the closing brace. */
  readonly bytes: Buffer;
  /** Simulated time of the message, as on the wire. */
  readonly at: string;
  /** Log entries that refer to it, for `TelemetryBudget`. */
  holders: number;
}

/** @param data  as JSON text */
export function buildFrame(type: MessageType | "hello" | "gap", at: string, data: string): SharedFrame {
  const text = `,"type":"${type}","at":"${at}","data":${data}}`;
  // Allocated outside Node's pool: a pooled frame would keep 8 kB alive for as long as a reader keeps it.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return { bytes, at, holders: 0 };
}
