import type { SharedFrame, TelemetryBudget } from "./telemetryBudget.ts";

/** A message of one reader with its sequence number. */
export interface LogEntry {
  readonly seq: number;
  /** The last sequence number of the entry; for a gap, that of the last dropped message. */
  readonly lastSeq: number;
  /** The session that begins with this entry, a hello; otherwise empty. */
  readonly session: string;
  readonly frame: SharedFrame;
}

/**
 * Messages of one reader in order: those already sent, kept for a resumption, and those waiting.
 *
 * Positions count all entries since the beginning, so that they stay valid when old entries are dropped.
 */
export class FrameLog {
  private readonly budget: TelemetryBudget;
  private entries: LogEntry[] = [];
  /** Number of dropped entries still at the front of `entries`; many are removed at once. */
  private dropped = 0;
  /** Index in `entries` of the first entry that waits. */
  private next = 0;
  /** Index in `entries` of the first entry of the present session. */
  private sessionStart = 0;
  waitingBytes = 0;
  /** Bytes of the entries that are sent and kept. */
  sentBytes = 0;

  constructor(budget: TelemetryBudget) {
    this.budget = budget;
  }

  push(entry: LogEntry): void {
    if (entry.session !== "") this.sessionStart = this.entries.length;
    this.entries.push(entry);
    this.budget.hold(entry.frame);
    this.waitingBytes += entry.frame.bytes.length;
  }

  /** Takes the next entry to send; from then on it counts as sent. */
  take(): LogEntry | undefined {
    const entry = this.entries[this.next];
    if (entry === undefined) return undefined;
    this.next++;
    this.waitingBytes -= entry.frame.bytes.length;
    this.sentBytes += entry.frame.bytes.length;
    return entry;
  }

  /** Drops the oldest sent entries until both limits are met. */
  trimSent({ entries, bytes }: { readonly entries: number; readonly bytes: number }): void {
    while (this.sentBytes > bytes || this.next - this.dropped > entries) {
      const { frame } = this.entries[this.dropped++];
      this.budget.release(frame);
      this.sentBytes -= frame.bytes.length;
    }
    if (this.dropped > 64 && 2 * this.dropped > this.entries.length) this.compact();
  }

  private compact(): void {
    this.entries = this.entries.slice(this.dropped);
    this.next -= this.dropped;
    this.sessionStart = Math.max(0, this.sessionStart - this.dropped);
    this.dropped = 0;
  }

  /**
   * Queues the entries of the present session after a sequence number again.
   *
   * @returns `reachedSeq`: the last number before these entries that is accounted for; `nextSeq`: their first number, or
   *   `null` without entries
   */
  rewindTo(afterSeq: number): { readonly reachedSeq: number; readonly nextSeq: number | null } {
    let at = Math.max(this.sessionStart, this.dropped);
    let reachedSeq = afterSeq;
    for (; at < this.entries.length && this.entries[at].seq <= afterSeq; at++)
      reachedSeq = Math.max(afterSeq, this.entries[at].lastSeq);
    this.next = at;
    this.waitingBytes = sumBytes(this.entries, at, this.entries.length);
    this.sentBytes = sumBytes(this.entries, this.dropped, at);
    return { reachedSeq, nextSeq: this.entries[at]?.seq ?? null };
  }

  clear(): void {
    for (let k = this.dropped; k < this.entries.length; k++) this.budget.release(this.entries[k].frame);
    this.entries = [];
    this.dropped = 0;
    this.next = 0;
    this.sessionStart = 0;
    this.waitingBytes = 0;
    this.sentBytes = 0;
  }
}

function sumBytes(entries: readonly LogEntry[], from: number, to: number): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += entries[k].frame.bytes.length;
  return sum;
}
