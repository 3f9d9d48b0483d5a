import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { Period } from "../siteSpec.ts";
import { type ClientSlots, planKwAt, type SiteBaseline } from "./siteBaseline.ts";

/**
 * A baseline with slots that a client registered: they win over the scenario's, in the plan too (docs/model/baselines.md#posted-slots).
 *
 * @param own  the scenario's, without any posted slot
 * @param run  slots beyond it are only read one by one
 */
export function withClientSlots(own: SiteBaseline, posted: ClientSlots, run: Period): SiteBaseline {
  const { slotsKw: slots } = own;
  const untilMs = slots instanceof Series ? Math.max(run.endMs, slots.untilMs) : run.endMs;
  return {
    planKw: overlaySlots(own.planKw, posted, run),
    slotsKw: overlaySlots(slots, posted, { startMs: run.startMs, endMs: untilMs }),
    hasRegisteredSlots: own.hasRegisteredSlots,
    clientSlots: posted,
  };
}

/**
 * A value over a period with some half hours replaced. Where the value moves between its stamps, a replaced half hour is
 * reached and left within a millisecond: a line has no jumps.
 */
function overlaySlots(value: Series | number, posted: ClientSlots, { startMs, endMs }: Period): Series {
  const timesMs: number[] = [];
  const values: number[] = [];
  const add = (atMs: EpochMs, kw: number) => {
    if (timesMs.length > 0 && atMs <= timesMs[timesMs.length - 1]) return;
    timesMs.push(atMs);
    values.push(kw);
  };
  const isLinear = value instanceof Series && value.interpolation === "linear";
  for (let slotMs = floorToHalfHour(startMs); slotMs < endMs; slotMs += MS_PER_HALF_HOUR) {
    const fromMs = Math.max(slotMs, startMs);
    const toMs = slotMs + MS_PER_HALF_HOUR;
    const slot = posted.get(slotMs);
    if (slot !== undefined) {
      add(fromMs, slot.kw);
      if (isLinear) add(toMs - 1, slot.kw);
      continue;
    }
    add(fromMs, planKwAt(value, fromMs));
    if (!(value instanceof Series)) continue;
    const last = Math.min(toMs - 1, value.untilMs, endMs);
    for (let atMs = value.nextChangeMs(fromMs); atMs <= last; atMs = value.nextChangeMs(atMs))
      add(atMs, value.valueAt(atMs));
    if (isLinear && posted.has(toMs)) add(last, value.valueAt(last));
  }
  const untilMs = value instanceof Series ? Math.max(endMs, Math.min(value.untilMs, endMs)) : endMs;
  return new Series(
    "baseline",
    Float64Array.from(timesMs),
    Float64Array.from(values),
    isLinear ? "linear" : "step",
    Math.max(untilMs, timesMs[timesMs.length - 1]),
  );
}

/** The first half hour of a period without a registered value, or `null`. */
export function firstMissingSlotMs(
  { hasRegisteredSlots: registered, clientSlots: posted }: SiteBaseline,
  startMs: EpochMs,
  endMs: EpochMs,
): EpochMs | null {
  if (registered) return null;
  for (let slotMs = floorToHalfHour(startMs); slotMs < endMs; slotMs += MS_PER_HALF_HOUR)
    if (posted === undefined || !posted.has(slotMs)) return slotMs;
  return null;
}
