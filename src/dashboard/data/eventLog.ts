import type { SandboxEvent, SandboxEvents } from "../../client/sandboxTypes.ts";

const PAGE_SIZE = 500;
/** Pages in one go, so that a long history does not hold other requests up. */
const PAGES_MAX = 10;
/** Events that the page holds; older ones are dropped, so that a long session does not fill the browser's memory. */
export const EVENTS_HELD_MAX = 20_000;

/** The latest events that the role may see, by their number and without gaps. */
export class EventLog {
  readonly #fetchPage: (after: number, limit: number) => Promise<SandboxEvents>;
  #events: readonly SandboxEvent[] = [];
  /** How often the events were cleared. */
  #clears = 0;

  constructor(fetchPage: (after: number, limit: number) => Promise<SandboxEvents>) {
    this.#fetchPage = fetchPage;
  }

  /** Reads what is new. @returns the events held, oldest first; the same list where nothing is new */
  async load(): Promise<readonly SandboxEvent[]> {
    for (let page = 0; page < PAGES_MAX; page++) {
      const after = this.#lastSeq;
      const clears = this.#clears;
      const { events, last_seq } = await this.#fetchPage(after, PAGE_SIZE);
      // Events cleared meanwhile: this page is of another session, or would leave a gap before it.
      if (this.#clears !== clears) continue;
      if (last_seq < after) {
        // The session went back in time.
        this.#events = [];
        continue;
      }
      if (events.length > 0) this.#add(events.filter(({ seq }) => seq > after));
      if (events.length === 0 || last_seq <= this.#lastSeq) break;
    }
    return this.#events;
  }

  /** 0 without events. */
  get #lastSeq(): number {
    return this.#events.at(-1)?.seq ?? 0;
  }

  #add(events: readonly SandboxEvent[]): void {
    this.#events = [...this.#events, ...events].slice(-EVENTS_HELD_MAX);
  }

  /** For a session that went back in time: numbers are given anew. */
  clear(): void {
    this.#events = [];
    this.#clears++;
  }
}
