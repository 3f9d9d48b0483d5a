import type { EpochMs } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";

/** A half hour of baseline that a client has registered. */
export interface ClientSlot {
  readonly kw: number;
  readonly registeredMs: EpochMs;
  readonly methodNote: string | null;
}

/** Slots by the half hour that they begin at. */
export type ClientSlots = ReadonlyMap<EpochMs, ClientSlot>;

/** The plan of a site in kW, import positive, at each instant and as registered 30-minute slots. */
export interface SiteBaseline {
  readonly planKw: Series | number;
  /** Slots of 30 minutes; a plain number where they are all the same. */
  readonly slotsKw: Series | number;
  /** Whether slots are registered: a consumer's `zero` registers none (docs/model/baselines.md#registered-slots). */
  readonly hasRegisteredSlots: boolean;
  /** Slots that a client has registered, which win; absent where none are. */
  readonly clientSlots?: ClientSlots;
}

export const planKwAt = (value: Series | number, atMs: EpochMs): number =>
  value instanceof Series ? value.valueAt(atMs) : value;

/** A consumer's slots as a series, whatever they were given as; `null` where none are registered. */
export function toSlotSeries(
  { slotsKw: slots, hasRegisteredSlots: registered, clientSlots: posted }: SiteBaseline,
  { startMs, endMs }: { startMs: EpochMs; endMs: EpochMs },
): Series | null {
  if (!registered && posted === undefined) return null;
  if (slots instanceof Series) return slots;
  return new Series("baseline", Float64Array.of(startMs), Float64Array.of(slots), "step", endMs);
}
