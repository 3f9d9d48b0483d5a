import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";
import { append, removeItem } from "../../../base/lists.ts";
import type { EpochMs } from "../../../base/time.ts";

/** A schedule whose period changes when another one cuts it. */
interface ListedSchedule {
  readonly scheduleId: string;
  startMs: EpochMs;
  endMs: EpochMs;
}

interface ListItem<T> {
  readonly schedule: T;
  /** In the order of addition. */
  readonly position: number;
}

interface Chunk<T> {
  /** Sorted by start; never empty. */
  readonly items: ListItem<T>[];
  /** Latest end of the items. */
  endMs: EpochMs;
}

interface ScheduleIndex<T> {
  readonly byId: Map<string, T>;
  /** Schedules not in `byId` yet: some ids are computed on first use, which takes longer than all else here. */
  readonly withoutId: Set<T>;
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
  private addedCount = 0;
  /** Sorted by the start of their first items. Overlapping schedules may have equal starts across chunks. */
  private readonly chunks: Chunk<T>[] = [];
  /** Made by the first search: most runs have none. */
  private index: ScheduleIndex<T> | null = null;

  get size(): number {
    return this.chunks.reduce((count, { items }) => count + items.length, 0);
  }

  [Symbol.iterator](): Iterator<T> {
    return inOrderOfAddition(this.chunks.flatMap(({ items }) => items))[Symbol.iterator]();
  }

  has(schedule: T): boolean {
    return 0 <= this.chunkIndexOf(schedule);
  }

  add(schedule: T): void {
    this.index?.withoutId.add(schedule);
    this.insert({ schedule, position: this.addedCount++ });
  }

  remove(schedule: T): void {
    this.extract(schedule);
    if (this.index?.withoutId.delete(schedule) === false) this.index.byId.delete(schedule.scheduleId);
  }

  changePeriod(schedule: T, { startMs, endMs }: Readonly<Pick<T, "startMs" | "endMs">>): void {
    const item = this.extract(schedule);
    schedule.startMs = startMs;
    schedule.endMs = endMs;
    this.insert(item);
  }

  find(scheduleId: string): T | undefined {
    this.index ??= { byId: new Map(), withoutId: new Set(this) };
    const { byId, withoutId } = this.index;
    for (const schedule of withoutId) byId.set(schedule.scheduleId, schedule);
    withoutId.clear();
    return byId.get(scheduleId);
  }

  /** The schedules that overlap a period, in order of addition; those that only touch it do not. */
  overlapping(startMs: EpochMs, endMs: EpochMs): readonly T[] {
    let found: ListItem<T>[] | null = null;
    for (const { items, endMs: chunkEndMs } of this.chunks) {
      if (endMs <= items[0].schedule.startMs) break;
      if (chunkEndMs <= startMs) continue;
      for (const item of items)
        if (item.schedule.startMs < endMs && startMs < item.schedule.endMs) (found ??= []).push(item);
    }
    return found === null ? NONE : inOrderOfAddition(found);
  }

  private insert(item: ListItem<T>): void {
    const { chunks } = this;
    const { startMs, endMs } = item.schedule;
    const k = Math.max(0, this.chunkCountUntil(startMs) - 1);
    if (k === chunks.length) {
      append(chunks, { items: [item], endMs });
      return;
    }
    const chunk = chunks[k];
    const { items } = chunk;
    append(items, item);
    for (let i = items.length - 1; i > 0 && startMs < items[i - 1].schedule.startMs; i--) {
      items[i] = items[i - 1];
      items[i - 1] = item;
    }
    chunk.endMs = Math.max(chunk.endMs, endMs);
    if (items.length <= CHUNK_LENGTH_MAX) return;
    const rear = items.splice(items.length / 2);
    chunk.endMs = latestEndMs(items);
    chunks.splice(k + 1, 0, { items: rear, endMs: latestEndMs(rear) });
  }

  private extract(schedule: T): ListItem<T> {
    const chunk = this.chunks[this.chunkIndexOf(schedule)];
    assert(chunk !== undefined, "a removed schedule must be in the list");
    const { items } = chunk;
    const item = items[indexIn(items, schedule)];
    removeItem(items, item);
    if (items.length === 0) removeItem(this.chunks, chunk);
    else if (chunk.endMs === schedule.endMs) chunk.endMs = latestEndMs(items);
    return item;
  }

  /** -1 for a schedule that is not in the list. */
  private chunkIndexOf(schedule: T): number {
    const { chunks } = this;
    for (let k = this.chunkCountUntil(schedule.startMs) - 1; k >= 0; k--)
      if (0 <= indexIn(chunks[k].items, schedule)) return k;
    return -1;
  }

  /** Number of chunks that begin at or before an instant. */
  private chunkCountUntil(atMs: EpochMs): number {
    let low = 0;
    let high = this.chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.chunks[middle].items[0].schedule.startMs <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const NONE: readonly never[] = [];

const latestEndMs = (items: readonly ListItem<ListedSchedule>[]): EpochMs =>
  items.reduce((endMs, { schedule }) => Math.max(endMs, schedule.endMs), Number.NEGATIVE_INFINITY);

function indexIn<T>(items: readonly ListItem<T>[], schedule: T): number {
  for (let i = 0; i < items.length; i++) if (items[i].schedule === schedule) return i;
  return -1;
}

/** The schedules of a list, which is sorted. */
const inOrderOfAddition = <T>(items: ListItem<T>[]): readonly T[] =>
  items.sort((a, b) => a.position - b.position).map(({ schedule }) => schedule);
