import { type EpochMs, floorToHalfHour } from "../../../base/time.ts";
import { Series } from "../../series/model/series.ts";

/** A baseline slot of 30 minutes that a client has registered. */
export interface ClientSlot {
  readonly kw: number;
  readonly registeredMs: EpochMs;
  readonly methodNote: string | null;
}

/** Slots by start of the half hour, epoch ms. */
export type ClientSlots = ReadonlyMap<EpochMs, ClientSlot>;

/** The plan of a site in kW, import positive, which it follows, and the 30-minute slots, which it reports. */
export interface SiteBaseline {
  readonly planKw: Series | number;
  /** Means of the plan over 30 minutes, with their errors; a number if all are equal. */
  readonly slotsKw: Series | number;
  /** Whether slots are registered: a consumer's `zero` registers none (docs/model/baselines.md#registered-slots). */
  readonly hasRegisteredSlots: boolean;
  /** Slots that a client has registered; they override `slotsKw`. Absent if there are none. */
  readonly clientSlots?: ClientSlots;
}

/** The plan as the VPP knows it: its slots where they have an error. `null` without a plan in time. */
export function knownPlan(
  { planKw, slotsKw }: SiteBaseline,
  { baselineError }: { readonly baselineError?: object | undefined },
): Series | null {
  const known = baselineError === undefined ? planKw : slotsKw;
  return planKw instanceof Series && known instanceof Series ? known : null;
}

export const planKwAt = (value: Series | number, atMs: EpochMs): number =>
  value instanceof Series ? value.valueAt(atMs) : value;

/** The registered slot or the slot of the service plan at an instant, in kW; 0 if there is none. */
export function slotKwAt({ slotsKw, clientSlots }: SiteBaseline, atMs: EpochMs): number {
  if (clientSlots !== undefined) {
    const slot = clientSlots.get(floorToHalfHour(atMs));
    if (slot !== undefined) return slot.kw;
  }
  // An award that starts after the run may start after the data.
  return slotsKw instanceof Series && slotsKw.untilMs < atMs ? 0 : planKwAt(slotsKw, atMs);
}

/** A consumer's slots as a series; `null` if none are registered. */
export function toSlotSeries(
  { slotsKw, hasRegisteredSlots, clientSlots }: SiteBaseline,
  { startMs, endMs }: { startMs: EpochMs; endMs: EpochMs },
): Series | null {
  if (!hasRegisteredSlots && clientSlots === undefined) return null;
  if (slotsKw instanceof Series) return slotsKw;
  return new Series("baseline", Float64Array.of(startMs), Float64Array.of(slotsKw), "step", endMs);
}
