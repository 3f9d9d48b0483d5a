import { type EpochMs, floorToHalfHour, MS_PER_HALF_HOUR } from "../../../base/time.ts";
import { Series } from "../../series/model/series.ts";
import type { Period } from "../siteSpec.ts";
import { type ClientSlots, planKwAt, type SiteBaseline } from "./siteBaseline.ts";

/**
 * Overrides a baseline with slots that a client registered, in the plan too (docs/model/baselines.md#posted-slots).
 *
 * @param own  the scenario's baseline, without client slots
 * @param run  period of the returned series; later slots are only read from `clientSlots`
 */
export function withClientSlots(own: SiteBaseline, clientSlots: ClientSlots, run: Period): SiteBaseline {
  const { slotsKw } = own;
  const untilMs = slotsKw instanceof Series ? Math.max(run.endMs, slotsKw.untilMs) : run.endMs;
  return {
    planKw: overlaySlots(own.planKw, clientSlots, run),
    slotsKw: overlaySlots(slotsKw, clientSlots, { startMs: run.startMs, endMs: untilMs }),
    hasRegisteredSlots: own.hasRegisteredSlots,
    clientSlots,
  };
}

/**
 * A value over a period with some half hours replaced. A linearly interpolated series cannot jump, so it changes to and from
 * a replaced half hour within a millisecond.
 */
function overlaySlots(value: Series | number, clientSlots: ClientSlots, { startMs, endMs }: Period): Series {
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
    const slot = clientSlots.get(slotMs);
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
    if (isLinear && clientSlots.has(toMs)) add(last, value.valueAt(last));
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

/** Start of the first half hour of a period without a registered slot, or `null`. */
export function firstMissingSlotMs(
  { hasRegisteredSlots, clientSlots }: SiteBaseline,
  startMs: EpochMs,
  endMs: EpochMs,
): EpochMs | null {
  if (hasRegisteredSlots) return null;
  for (let slotMs = floorToHalfHour(startMs); slotMs < endMs; slotMs += MS_PER_HALF_HOUR)
    if (clientSlots === undefined || !clientSlots.has(slotMs)) return slotMs;
  return null;
}
