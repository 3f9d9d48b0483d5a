import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";

/** A schedule whose period changes when another one cuts it. */
interface ListedSchedule {
  readonly scheduleId: string;
  startMs: EpochMs;
  endMs: EpochMs;
}

interface Chunk<T> {
  /** Sorted by start; never empty. */
  readonly items: T[];
  /** Latest end of the items. */
  endMs: EpochMs;
}

/** A chunk with more items is divided. */
const CHUNK_LENGTH_MAX = 64;

/**
 * Schedules in order of addition, with searches by period and by id whose time does not grow with their number: an owner or a
 * VPP may register any number of schedules (docs/model/overlap.md#many-schedules).
 *
 * The period of a listed schedule is changed by `changePeriod` alone.
 */
export class ScheduleList<T extends ListedSchedule> extends Copyable {
  /** Position of each schedule in the order of addition. */
  private readonly positions = new Map<T, number>();
  private addedCount = 0;
  /** Sorted by the start of their first items. Overlapping schedules may have equal starts across chunks. */
  private readonly chunks: Chunk<T>[] = [];
  private readonly byId = new Map<string, T>();
  /** Schedules not in `byId` yet: some ids are computed on first use, which takes longer than all else here. */
  private readonly withoutId = new Set<T>();

  get size(): number {
    return this.positions.size;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.positions.keys();
  }

  has(schedule: T): boolean {
    return this.positions.has(schedule);
  }

  add(schedule: T): void {
    this.positions.set(schedule, this.addedCount++);
    this.withoutId.add(schedule);
    this.insert(schedule);
  }

  remove(schedule: T): void {
    assert(this.positions.delete(schedule), "a removed schedule must be in the list");
    if (!this.withoutId.delete(schedule)) this.byId.delete(schedule.scheduleId);
    this.extract(schedule);
  }

  changePeriod(schedule: T, { startMs, endMs }: Readonly<Pick<T, "startMs" | "endMs">>): void {
    this.extract(schedule);
    schedule.startMs = startMs;
    schedule.endMs = endMs;
    this.insert(schedule);
  }

  find(scheduleId: string): T | undefined {
    for (const schedule of this.withoutId) this.byId.set(schedule.scheduleId, schedule);
    this.withoutId.clear();
    return this.byId.get(scheduleId);
  }

  /** The schedules that overlap a period, in order of addition; those that only touch it do not. */
  overlapping(startMs: EpochMs, endMs: EpochMs): readonly T[] {
    let found: T[] | null = null;
    for (const { items, endMs: chunkEndMs } of this.chunks) {
      if (endMs <= items[0].startMs) break;
      if (chunkEndMs <= startMs) continue;
      for (const schedule of items)
        if (schedule.startMs < endMs && startMs < schedule.endMs) (found ??= []).push(schedule);
    }
    if (found === null) return NONE;
    const { positions } = this;
    return found.length < 2 ? found : found.sort((a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0));
  }

  private insert(schedule: T): void {
    const { chunks } = this;
    const { startMs, endMs } = schedule;
    const k = Math.max(0, this.chunkCountUntil(startMs) - 1);
    if (k === chunks.length) {
      chunks.push({ items: [schedule], endMs });
      return;
    }
    const chunk = chunks[k];
    const { items } = chunk;
    let i = items.length;
    while (i > 0 && startMs < items[i - 1].startMs) i--;
    items.splice(i, 0, schedule);
    chunk.endMs = Math.max(chunk.endMs, endMs);
    if (items.length <= CHUNK_LENGTH_MAX) return;
    const rear = items.splice(items.length / 2);
    chunk.endMs = latestEndMs(items);
    chunks.splice(k + 1, 0, { items: rear, endMs: latestEndMs(rear) });
  }

  private extract(schedule: T): void {
    const { chunks } = this;
    for (let k = this.chunkCountUntil(schedule.startMs) - 1; k >= 0; k--) {
      const chunk = chunks[k];
      const i = chunk.items.indexOf(schedule);
      if (i < 0) continue;
      if (chunk.items.length === 1) chunks.splice(k, 1);
      else {
        chunk.items.splice(i, 1);
        if (chunk.endMs === schedule.endMs) chunk.endMs = latestEndMs(chunk.items);
      }
      return;
    }
    assert(false, "a listed schedule is in a chunk");
  }

  /** Number of chunks that begin at or before an instant. */
  private chunkCountUntil(atMs: EpochMs): number {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.chunks[middle].items[0].startMs <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const NONE: readonly never[] = [];

const latestEndMs = (schedules: readonly ListedSchedule[]): EpochMs =>
  schedules.reduce((endMs, schedule) => Math.max(endMs, schedule.endMs), Number.NEGATIVE_INFINITY);
