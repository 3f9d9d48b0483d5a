import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import { EventQueue } from "./eventQueue.ts";

/** Handles the events of the kernel. Must not run the kernel itself. */
export interface EventHandler {
  handleEvent(kind: number, subject: number): void;
  /**
   * Called after the last event of an instant, before time advances or the run stops. Called again if it schedules more events
   * at the same instant.
   */
  handleInstantEnd(): void;
}

/** More events at one instant are treated as an endless loop of the handler. */
const EVENTS_PER_INSTANT_MAX = 1_000_000;

/**
 * Simulated clock and event loop.
 *
 * Events are ordered by (time, rank, order of scheduling). Stopping and resuming does not change the sequence of events.
 */
export class Kernel extends Copyable {
  nowMs: EpochMs;
  /** Number of events handled since the start of the simulated world. */
  eventCount = 0;
  private readonly queue = new EventQueue();
  private isRunning = false;

  constructor(startMs: EpochMs) {
    super();
    assert(Number.isSafeInteger(startMs), () => `the clock starts at whole milliseconds; found ${startMs}`);
    this.nowMs = startMs;
  }

  /** Time of the next event; Infinity if there is none. */
  get nextMs(): EpochMs {
    return this.queue.peekMs();
  }

  get pendingCount(): number {
    return this.queue.size;
  }

  /**
   * Queues an event at a whole millisecond, now or later. An event at the present instant whose rank has already passed runs
   * next.
   *
   * @param rank  0 (first) to 31, the order within one instant
   */
  schedule(atMs: EpochMs, rank: number, kind: number, subject: number): void {
    if (!Number.isSafeInteger(atMs) || atMs < this.nowMs) {
      assert(false, `event kind ${kind} needs a whole millisecond from ${this.nowMs} on; found ${atMs}`);
    }
    this.queue.push(atMs, rank, kind, subject);
  }

  /** Handles all events at or before `untilMs`; then `nowMs` is `untilMs`. */
  runThrough(untilMs: EpochMs, handler: EventHandler): void {
    this.run(untilMs, untilMs, handler);
  }

  /** Handles all events before `untilMs`; then `nowMs` is `untilMs`, and events at `untilMs` are still pending. */
  runBefore(untilMs: EpochMs, handler: EventHandler): void {
    this.run(untilMs - 1, untilMs, handler);
  }

  /** The same, and the events at `untilMs` of a lower rank than `rank`: the others of that instant are still pending. */
  runBelowRank(untilMs: EpochMs, rank: number, handler: EventHandler): void {
    this.runBefore(untilMs, handler);
    const { queue } = this;
    const isNext = (): boolean => queue.peekMs() === untilMs && queue.peekRank() < rank;
    while (isNext()) {
      while (isNext()) {
        queue.pop();
        this.eventCount++;
        handler.handleEvent(queue.kind, queue.subject);
      }
      handler.handleInstantEnd();
    }
  }

  private run(lastMs: EpochMs, untilMs: EpochMs, handler: EventHandler): void {
    assert(!this.isRunning, "a handler must not run the kernel that is calling it");
    assert(Number.isSafeInteger(untilMs), () => `a run ends at a whole millisecond; found ${untilMs}`);
    assert(this.nowMs <= untilMs, () => `time never goes back: now ${this.nowMs}, requested until ${untilMs}`);
    this.isRunning = true;
    while (this.queue.peekMs() <= lastMs) this.runInstant(handler);
    this.nowMs = untilMs;
    this.isRunning = false;
  }

  private runInstant(handler: EventHandler): void {
    const { queue } = this;
    const atMs = queue.peekMs();
    assert(this.nowMs <= atMs, "time never goes back");
    this.nowMs = atMs;
    let left = EVENTS_PER_INSTANT_MAX;
    do {
      while (queue.peekMs() === atMs) {
        queue.pop();
        this.eventCount++;
        if (left-- === 0) refuseEndlessInstant(atMs, queue.kind);
        handler.handleEvent(queue.kind, queue.subject);
      }
      handler.handleInstantEnd();
    } while (queue.peekMs() === atMs);
  }
}

function refuseEndlessInstant(atMs: EpochMs, kind: number): never {
  assert(
    false,
    `at most ${EVENTS_PER_INSTANT_MAX} events may fall on one instant (${atMs}); the last kind was ${kind}`,
  );
}
