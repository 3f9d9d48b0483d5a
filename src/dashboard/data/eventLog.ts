import type { SandboxEvent, SandboxEvents } from "../../api/client/sandboxTypes.ts";

const PAGE_SIZE = 500;
/** Pages in one go, so that a long history does not hold other requests up. */
const PAGES_MAX = 10;
/** Events that the page holds while the history is closed, so that its memory does not grow with the session. */
export const RECENT_EVENTS_MAX = 200;
/** Events that the page holds while somebody looks at the history. */
export const HISTORY_EVENTS_MAX = 20_000;

/**
 * The latest events that the role may see, by their number and without gaps: a few of them, or the history while somebody looks
 * at it (docs/model/sandbox.md#dashboard-memory).
 */
export class EventLog {
  private readonly fetchPage: (after: number, limit: number) => Promise<SandboxEvents>;
  private events: readonly SandboxEvent[] = [];
  /** Number of the latest event when it was last read; `null`: nothing was read. */
  private lastSeq: number | null = null;
  /** How often the events were cleared. */
  private clears = 0;
  private readers = 0;
  /** The first event that the server still has, as far as it is known. */
  private firstSeq = 1;

  constructor(fetchPage: (after: number, limit: number) => Promise<SandboxEvents>) {
    this.fetchPage = fetchPage;
  }

  /** Holds the history, up to `HISTORY_EVENTS_MAX` events, from the next `load` until the returned function is called. */
  holdHistory(): () => void {
    this.readers++;
    return () => void this.readers--;
  }

  /** Reads what is new, and what is missing of the history. @returns the known events, oldest first; the same list where nothing is new */
  async load(): Promise<readonly SandboxEvent[]> {
    let pages = 0;
    while (pages++ < PAGES_MAX && (await this.readNew()) === "more");
    while (pages++ < PAGES_MAX && (await this.readOlder()) === "more");
    this.trim();
    return this.events;
  }

  /** Whether somebody looks at the history, and a part of it is not read yet. */
  get lacksHistory(): boolean {
    const first = this.events[0]?.seq ?? 1;
    return this.readers > 0 && this.firstSeq < first && this.events.length < HISTORY_EVENTS_MAX;
  }

  /** For a session that went back in time: numbers are given anew. */
  clear(): void {
    this.events = [];
    this.lastSeq = null;
    this.firstSeq = 1;
    this.clears++;
  }

  private async readNew(): Promise<"more" | "done"> {
    const clears = this.clears;
    const isFirst = this.lastSeq === null;
    const after = this.events.at(-1)?.seq ?? Math.max(0, (this.lastSeq ?? 0) - RECENT_EVENTS_MAX);
    // The first answer says how many events there are.
    const limit = isFirst ? 1 : PAGE_SIZE;
    const { events, last_seq } = await this.fetchPage(after, limit);
    // Events cleared meanwhile: this page is of another session, or would leave a gap before it.
    if (this.clears !== clears) return "more";
    if (last_seq < after) {
      // The session went back in time.
      this.clear();
      return "more";
    }
    this.lastSeq = last_seq;
    if (isFirst) return last_seq === 0 ? "done" : "more";
    const fresh = events.filter(({ seq }) => seq > after);
    if (fresh.length > 0) this.events = [...this.events, ...fresh];
    return fresh.length > 0 && fresh[fresh.length - 1].seq < last_seq ? "more" : "done";
  }

  /** One page before the first known event. */
  private async readOlder(): Promise<"more" | "done"> {
    if (!this.lacksHistory) return "done";
    const first = this.events[0].seq;
    const count = Math.min(PAGE_SIZE, first - 1, HISTORY_EVENTS_MAX - this.events.length);
    const clears = this.clears;
    const { events } = await this.fetchPage(first - 1 - count, count);
    if (this.clears !== clears) return "done";
    const older = events.filter(({ seq }) => seq < first);
    // The server has dropped what was before.
    if (older.length < count) this.firstSeq = older[0]?.seq ?? first;
    this.events = [...older, ...this.events];
    return "more";
  }

  private trim(): void {
    const max = this.readers > 0 ? HISTORY_EVENTS_MAX : RECENT_EVENTS_MAX;
    if (this.events.length > max) this.events = this.events.slice(-max);
  }
}
