import type { ApiName } from "../../endpoints/route.ts";
import type { TelemetryBudget } from "./telemetryBudget.ts";
import { CLOSE_REASONS, type TelemetryReader } from "./telemetryReader.ts";

/** Maximum number of readers, those that wait for a resumption included. */
export const READERS_MAX = 1_000;

/** Real milliseconds for which a reader without a connection is kept (docs/model/sandbox.md#telemetry-resumption). */
const RESUMABLE_MS = 60_000;

/** Readers of one VPP or site through one API: they receive the same frames. */
export interface TelemetryView {
  readonly api: ApiName;
  readonly id: string;
  readonly readers: Set<TelemetryReader>;
}

type ViewId = Pick<TelemetryView, "api" | "id">;

/** The readers of a server by view, within the limits of their number and memory (docs/model/sandbox.md#telemetry-limits). */
export class ReaderRegistry {
  readonly budget: TelemetryBudget;
  private readonly readersMax: number;
  private readonly viewsByKey = new Map<string, TelemetryView>();
  /** Readers without a connection, the longest first, with the timer that removes each. */
  private readonly disconnected = new Map<TelemetryReader, NodeJS.Timeout>();
  private count = 0;

  constructor(budget: TelemetryBudget, readersMax = READERS_MAX) {
    this.budget = budget;
    this.readersMax = readersMax;
  }

  get views(): Iterable<TelemetryView> {
    return this.viewsByKey.values();
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  get connectedCount(): number {
    return this.count - this.disconnected.size;
  }

  *readers(): Iterable<TelemetryReader> {
    for (const { readers } of this.viewsByKey.values()) yield* readers;
  }

  view({ api, id }: ViewId): TelemetryView | undefined {
    return this.viewsByKey.get(viewKey({ api, id }));
  }

  /**
   * Makes room for one more reader; drops the longest disconnected one if necessary.
   *
   * @returns whether a reader may be added
   */
  makeRoom(): boolean {
    if (this.count < this.readersMax) return true;
    const [oldest] = this.disconnected.keys();
    if (oldest === undefined) return false;
    this.remove(oldest);
    return true;
  }

  /** @returns its view */
  add(reader: TelemetryReader): TelemetryView {
    const { api, id } = reader;
    const view = this.view(reader) ?? { api, id, readers: new Set() };
    this.viewsByKey.set(viewKey(reader), view);
    view.readers.add(reader);
    this.count++;
    return view;
  }

  remove(reader: TelemetryReader): void {
    const view = this.view(reader);
    if (view?.readers.delete(reader) !== true) return;
    this.count--;
    this.markConnected(reader);
    if (view.readers.size === 0) this.viewsByKey.delete(viewKey(reader));
    reader.clear();
  }

  /** Keeps a reader for a while after its connection has ended. */
  markDisconnected(reader: TelemetryReader): void {
    if (reader.isConnected || this.disconnected.has(reader)) return;
    if (this.view(reader)?.readers.has(reader) !== true) return;
    // not simulated: a client resumes within real time
    const timer = setTimeout(() => this.remove(reader), RESUMABLE_MS);
    timer.unref();
    this.disconnected.set(reader, timer);
  }

  markConnected(reader: TelemetryReader): void {
    clearTimeout(this.disconnected.get(reader));
    this.disconnected.delete(reader);
  }

  /** Removes all readers without a connection. */
  removeDisconnected(): void {
    for (const reader of this.disconnected.keys()) this.remove(reader);
  }

  /** Drops messages kept for resumptions, then closes the slowest readers, until the budget is met. */
  enforceBudget(): void {
    for (const reader of this.disconnected.keys()) {
      if (!this.budget.isExceeded) return;
      this.remove(reader);
    }
    if (!this.budget.isExceeded) return;
    for (const reader of this.readers()) reader.dropSent();
    while (this.budget.isExceeded) {
      const slowest = this.slowest();
      if (slowest === null) return;
      slowest.close(CLOSE_REASONS.tooSlow);
      this.remove(slowest);
    }
  }

  private slowest(): TelemetryReader | null {
    let slowest: TelemetryReader | null = null;
    for (const reader of this.readers()) if (reader.waitingBytes > (slowest?.waitingBytes ?? 0)) slowest = reader;
    return slowest;
  }
}

const viewKey = ({ api, id }: ViewId): string => `${api} ${id}`;
