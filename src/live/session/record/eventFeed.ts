import type { EpochMs } from "../../../base/time.ts";
import type { SandboxEventKind } from "../sandboxEventKinds.ts";
import type { ReceivedAward } from "./receivedAwards.ts";

/** One event of a session. Its text is made when it is read, because most events are never read. */
export interface FeedEvent {
  readonly atMs: EpochMs;
  readonly kind: SandboxEventKind;
  /** Name of the site. */
  readonly site: string | null;
  readonly awardId: string | null;
  /** Award of an event that concerns one; its fields are part of the data. */
  readonly award: ReceivedAward | null;
  /** Name of the VPP. */
  readonly vpp: string | null;
  /** The part of the text that follows from neither the kind nor the award; see `eventText`. */
  readonly detail: string;
  /** Further data; `null`: none. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** An event with its number, from 1. */
type NumberedEvent = FeedEvent & { readonly seq: number };

/** Maximum number of stored events; older ones are dropped. */
const EVENTS_MAX = 50_000;

/**
 * Events of a session in order of time, with numbers without gaps. Every role sees all of them: an event that a trainee must
 * not know yet is added when it is noticed (docs/model/sandbox.md#roles).
 */
export class EventFeed {
  private events: FeedEvent[] = [];
  private droppedCount = 0;

  push(event: FeedEvent): void {
    this.events.push(event);
    // A tenth more is stored, so that not every event moves the whole list.
    if (this.events.length <= 1.1 * EVENTS_MAX) return;
    this.droppedCount += this.events.length - EVENTS_MAX;
    this.events = this.events.slice(-EVENTS_MAX);
  }

  /** Number of the last event; 0: there is none. */
  get lastSeq(): number {
    return this.droppedCount + this.events.length;
  }

  /** The events after a number, oldest first. */
  after(seq: number, limit: number): readonly NumberedEvent[] {
    const first = Math.max(0, seq - this.droppedCount);
    return this.events
      .slice(first, first + limit)
      .map((event, k) => ({ ...event, seq: this.droppedCount + first + k + 1 }));
  }

  /** The events of a period, its end excluded. */
  within(fromMs: EpochMs, toMs: EpochMs): readonly FeedEvent[] {
    return this.events.slice(this.firstAtOrAfter(fromMs), this.firstAtOrAfter(toMs));
  }

  private firstAtOrAfter(atMs: EpochMs): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.events[middle].atMs < atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
