import type { EpochMs } from "../../../base/time.ts";
import type { FaultableRequest } from "./httpFaultBoard.ts";

/** A request of a client, without token and body. */
export interface LoggedRequest {
  readonly seq: number;
  /** Simulated instant of its arrival. */
  readonly atMs: EpochMs;
  /** Real time of its arrival. */
  readonly receivedMs: number;
  readonly api: FaultableRequest["api"];
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly route: string | null;
  /** `null`: there was none. */
  readonly status: number | null;
  /** Whether the connection ended before the answer. */
  readonly isAnswerLost: boolean;
  readonly errorType: string | null;
  readonly durationMs: number;
  readonly idempotencyKey: string | null;
  readonly isReplayed: boolean;
  readonly requestId: string | null;
  readonly httpFaultId: string | null;
}

/** What a read of the log selects by. */
interface RequestFilter {
  readonly api?: string;
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly idempotencyKey?: string;
  /** Start of the path. */
  readonly path?: string;
}

const ENTRIES_MAX = 10_000;

/** The latest requests of clients, in the order in which they were answered (docs/model/sandbox.md#requests). */
export class RequestLog {
  private entries: LoggedRequest[] = [];
  private count = 0;
  private clearedCount = 0;
  private readonly listeners: ((entry: LoggedRequest) => void)[] = [];

  get lastSeq(): number {
    return this.count;
  }

  /** Entries since the last deletion that are no longer there. */
  get dropped(): number {
    return this.count - this.clearedCount - Math.min(this.entries.length, ENTRIES_MAX);
  }

  onEntry(listener: (entry: LoggedRequest) => void): void {
    this.listeners.push(listener);
  }

  add(entry: Omit<LoggedRequest, "seq">): void {
    const numbered = { seq: ++this.count, ...entry };
    this.entries.push(numbered);
    // A tenth more is stored, so that not every request moves the whole list.
    if (this.entries.length > 1.1 * ENTRIES_MAX) this.entries = this.entries.slice(-ENTRIES_MAX);
    for (const listener of this.listeners) listener(numbered);
  }

  /** Entries after a number, oldest first. */
  list(filter: RequestFilter, after: number, limit: number): readonly LoggedRequest[] {
    return this.entries
      .slice(-ENTRIES_MAX)
      .filter((entry) => entry.seq > after && isSelected(entry, filter))
      .slice(0, limit);
  }

  /** Deletes all entries; the numbers go on. */
  clear(): void {
    this.entries = [];
    this.clearedCount = this.count;
  }
}

const isSelected = (entry: LoggedRequest, { path, status, ...equal }: RequestFilter): boolean =>
  (path === undefined || entry.path.startsWith(path)) &&
  (status === undefined || shownStatus(entry) === status) &&
  (["api", "method", "route", "idempotencyKey"] as const).every(
    (key) => equal[key] === undefined || equal[key] === entry[key],
  );

/** The status that the client received; `null`: it received none. */
export const shownStatus = ({ status, isAnswerLost }: LoggedRequest): number | null => (isAnswerLost ? null : status);
