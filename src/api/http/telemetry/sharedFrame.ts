import type { MessageType } from "./subscription.ts";

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
