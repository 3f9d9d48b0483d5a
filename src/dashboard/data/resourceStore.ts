/** What is known of one resource. Values are replaced, never changed. */
export interface Resource<T> {
  /** The last answer; kept when a later request fails. */
  readonly value: T | null;
  /** Why the last request failed; `null`: it succeeded. */
  readonly error: Error | null;
  /** Real instant of the last answer, epoch ms. */
  readonly receivedAtMs: number | null;
}

const EMPTY: Resource<never> = { value: null, error: null, receivedAtMs: null };

interface Entry {
  readonly listeners: Set<() => void>;
  load: () => Promise<unknown>;
  /** Shortest period between two requests while the simulated time moves. */
  everyMs: number;
  resource: Resource<unknown>;
  startedAtMs: number;
  isInFlight: boolean;
  /** Whether something happened after which the value may differ. */
  isDirty: boolean;
  failures: number;
}

/** What the store needs of its surroundings; tests supply their own. */
interface StoreContext {
  readonly nowMs: () => number;
  /** Whether the page is visible. */
  readonly isVisible: () => boolean;
}

/** Concurrent requests of the page, so that commands find a free connection (browsers open six). */
const IN_FLIGHT_MAX = 3;
/** Requests per real second over all resources. */
const REQUESTS_PER_SECOND_MAX = 10;
/** After a change that the page has noticed. */
const DIRTY_PERIOD_MS = 250;
/** While the clock is frozen: others may send commands. */
const FROZEN_PERIOD_MS = 5_000;
const HIDDEN_PERIOD_MS = 10_000;
const ENTRIES_MAX = 60;
const RETRY_PERIODS_MS = [1_000, 2_000, 4_000, 8_000, 10_000];

/**
 * Reads resources of the server for as long as somebody subscribes to them. It bounds the requests: never two of one
 * resource at a time, three in flight, ten a second, fewer while simulated time does not advance or the page is hidden.
 */
export class ResourceStore {
  readonly #entries = new Map<string, Entry>();
  readonly #context: StoreContext;
  #recentStarts: number[] = [];
  #isFrozen = false;

  constructor(context: StoreContext) {
    this.#context = context;
  }

  snapshot<T>(key: string): Resource<T> {
    return (this.#entries.get(key)?.resource ?? EMPTY) as Resource<T>;
  }

  /** Reads a resource until the returned function is called. The last value stays for the next subscriber. */
  subscribe(key: string, load: () => Promise<unknown>, everyMs: number, listener: () => void): () => void {
    const entry = this.#entries.get(key) ?? this.#addEntry(key, load, everyMs);
    entry.load = load;
    entry.everyMs = everyMs;
    entry.listeners.add(listener);
    this.tick();
    return () => void entry.listeners.delete(listener);
  }

  /** While frozen, values are requested rarely, unless they are invalidated. */
  setFrozen(isFrozen: boolean): void {
    if (this.#isFrozen && !isFrozen) this.invalidate();
    this.#isFrozen = isFrozen;
  }

  /** Requests resources soon. @param prefix  of their keys; absent: all */
  invalidate(prefix = ""): void {
    for (const [key, entry] of this.#entries) if (key.startsWith(prefix)) entry.isDirty = true;
  }

  /** Forgets failures, so that everything is tried at once. */
  retryNow(): void {
    for (const entry of this.#entries.values()) entry.failures = 0;
    this.invalidate();
    this.tick();
  }

  /** Starts the requests that are due, the most overdue first. Call it a few times a second. */
  tick(): void {
    const nowMs = this.#context.nowMs();
    this.#recentStarts = this.#recentStarts.filter((startMs) => nowMs - startMs < 1_000);
    const due = [...this.#entries.values()]
      .map((entry) => ({ entry, overdueMs: nowMs - entry.startedAtMs - this.#periodOf(entry) }))
      .filter(({ entry, overdueMs }) => entry.listeners.size > 0 && !entry.isInFlight && overdueMs >= 0)
      .sort((a, b) => b.overdueMs - a.overdueMs);
    for (const { entry } of due) {
      if (!this.#hasCapacity()) return;
      void this.#request(entry, nowMs);
    }
  }

  #hasCapacity(): boolean {
    const inFlight = [...this.#entries.values()].filter(({ isInFlight }) => isInFlight).length;
    return inFlight < IN_FLIGHT_MAX && this.#recentStarts.length < REQUESTS_PER_SECOND_MAX;
  }

  /** Values without a subscriber are kept for later subscribers, up to a number. */
  #evict(): void {
    for (const [key, { listeners, isInFlight }] of this.#entries) {
      if (this.#entries.size < ENTRIES_MAX) return;
      if (listeners.size === 0 && !isInFlight) this.#entries.delete(key);
    }
  }

  #addEntry(key: string, load: () => Promise<unknown>, everyMs: number): Entry {
    this.#evict();
    const entry: Entry = {
      listeners: new Set(),
      load,
      everyMs,
      resource: EMPTY,
      startedAtMs: Number.NEGATIVE_INFINITY,
      isInFlight: false,
      isDirty: false,
      failures: 0,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #periodOf({ everyMs, isDirty, failures }: Entry): number {
    if (failures > 0) return RETRY_PERIODS_MS[Math.min(failures, RETRY_PERIODS_MS.length) - 1];
    if (!this.#context.isVisible()) return Math.max(everyMs, HIDDEN_PERIOD_MS);
    if (isDirty) return DIRTY_PERIOD_MS;
    return this.#isFrozen ? Math.max(everyMs, FROZEN_PERIOD_MS) : everyMs;
  }

  async #request(entry: Entry, nowMs: number): Promise<void> {
    entry.isInFlight = true;
    entry.isDirty = false;
    entry.startedAtMs = nowMs;
    this.#recentStarts.push(nowMs);
    try {
      const value = await entry.load();
      entry.failures = 0;
      entry.resource = { value, error: null, receivedAtMs: this.#context.nowMs() };
    } catch (error) {
      entry.failures++;
      entry.resource = { ...entry.resource, error: error instanceof Error ? error : new Error(String(error)) };
    }
    entry.isInFlight = false;
    for (const listener of entry.listeners) listener();
  }
}
