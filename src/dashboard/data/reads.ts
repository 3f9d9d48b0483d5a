import { focusManager, type Query, QueryClient, QueryObserver } from "@tanstack/react-query";

/** What is known of one resource. */
export interface Resource<T> {
  /** The last answer; kept when a later request fails. */
  readonly value: T | null;
  /** Why the last request failed; `null`: it succeeded. */
  readonly error: Error | null;
}

/** While the clock is frozen: others may send commands. */
const FROZEN_PERIOD_MS = 5_000;
const HIDDEN_PERIOD_MS = 10_000;
/** After a request that failed. */
const RETRY_PERIOD_MS = 2_000;
/** Between two refreshes because of telemetry: with a dozen resources on a page, at most ten requests a second. */
const REFRESH_PERIOD_MS = 1_000;

/** Reads resources of the server at intervals for as long as something shows them, less often while they change rarely. */
export class Reads {
  readonly client = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always", refetchIntervalInBackground: true } },
  });
  private isFrozen = false;
  /** Resources that are read when the clock was. */
  private readonly withClock = new Set<string>();
  private refreshedAtMs = Number.NEGATIVE_INFINITY;
  private timer: ReturnType<typeof setTimeout> | null = null;

  /** @param everyMs  real period between two requests while the simulated time moves */
  options<T>(key: string, load: () => Promise<T>, everyMs: number) {
    const refetchInterval = ({ state }: Query<T>): number => {
      if (state.status === "error") return Math.max(everyMs, RETRY_PERIOD_MS);
      if (!focusManager.isFocused()) return Math.max(everyMs, HIDDEN_PERIOD_MS);
      return this.isFrozen ? Math.max(everyMs, FROZEN_PERIOD_MS) : everyMs;
    };
    return { queryKey: [key], queryFn: load, staleTime: everyMs, refetchInterval };
  }

  /** Reads a resource outside of components, until the returned function is called. */
  watch<T>(key: string, load: () => Promise<T>, everyMs: number, listener: () => void): () => void {
    const options = {
      ...this.options(key, load, everyMs),
      notifyOnChangeProps: ["dataUpdatedAt" as const, "error" as const],
    };
    return new QueryObserver(this.client, options).subscribe(listener);
  }

  resource<T>(key: string): Resource<T> {
    const state = this.client.getQueryState<T>([key]);
    return { value: state?.data ?? null, error: state?.error ?? null };
  }

  /** Real instant of the last answer, epoch ms. */
  receivedAtMs(key: string): number {
    return this.client.getQueryState([key])?.dataUpdatedAt ?? 0;
  }

  /** While frozen, values are requested rarely, unless they are refreshed. */
  setFrozen(isFrozen: boolean): void {
    if (this.isFrozen && !isFrozen) this.refresh();
    this.isFrozen = isFrozen;
  }

  /** Requests what is shown, or one resource, now. A request in flight may be older than the change: it is repeated when it ends. */
  refresh(key?: string): void {
    // While the time moves, the answer of the clock refreshes what is read with it: once, not twice.
    const isRefreshed = ({ queryKey }: Query) => this.isFrozen || !this.withClock.has(String(queryKey[0]));
    const filter = key === undefined ? { predicate: isRefreshed } : { queryKey: [key] };
    const inFlight = this.client.getQueryCache().findAll({ ...filter, type: "active", fetchStatus: "fetching" });
    void this.client.invalidateQueries(filter, { cancelRefetch: false });
    for (const { promise, queryKey } of inFlight)
      void promise?.catch(() => {}).then(() => this.client.invalidateQueries({ queryKey }, { cancelRefetch: false }));
  }

  /** Requests a resource that is read when the clock was, and not with the others while the time moves. */
  refreshWithClock(key: string): void {
    this.withClock.add(key);
    void this.client.invalidateQueries({ queryKey: [key] }, { cancelRefetch: false });
  }

  /** Requests what is shown, at most once in a period, for frequent changes. */
  refreshSoon(): void {
    const waitMs = this.refreshedAtMs + REFRESH_PERIOD_MS - performance.now();
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.refreshedAtMs = performance.now();
      this.refresh();
    }, waitMs);
  }
}
