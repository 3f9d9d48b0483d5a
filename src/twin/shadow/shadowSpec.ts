import { type EpochMs, MS_PER_DAY } from "../../base/time.ts";
import { Series } from "../../engine/series/model/series.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";

/** Of the clock of the VPP. */
const SHADOW_MAX_MS = 366 * MS_PER_DAY;
/** Status details have no frequency. */
const NOMINAL_HZ = 50;

/**
 * The world of a twin from an instant on. Only the VPP gives orders; series hold their last value beyond their end. Outages and
 * losses of messages are those of the VPP, so none are drawn.
 */
export function shadowSpec(spec: WorldSpec, startMs: EpochMs): WorldSpec {
  const endMs = startMs + SHADOW_MAX_MS;
  const held = new Map<object, unknown>();
  return {
    ...spec,
    startMs,
    endMs,
    streamsFromMs: startMs,
    sites: spec.sites.map((site) => ({
      ...heldUntil(site, endMs, held),
      outages: null,
      link: { ...site.link, lossProbability: 0 },
    })),
    awards: [],
    instructions: [],
    events: spec.events.filter((event) => "untilMs" in event && startMs <= event.atMs),
    frequencyHz: NOMINAL_HZ,
  };
}

/** A copy of a value whose series reach an instant. @param held  copies of the objects that were visited: shared ones stay shared */
function heldUntil<Value extends object>(value: Value, untilMs: EpochMs, held: Map<object, unknown>): Value {
  const known = held.get(value);
  const copy = known ?? copyUntil(value, untilMs, held);
  held.set(value, copy);
  return copy as Value;
}

function copyUntil(value: object, untilMs: EpochMs, held: Map<object, unknown>): object {
  if (value instanceof Series) {
    const { name, timesMs, values, interpolation, isFirstRepeated } = value;
    return new Series(name, timesMs, values, interpolation, {
      untilMs: Math.max(untilMs, value.untilMs),
      isFirstRepeated,
    });
  }
  const copied = (entry: unknown): unknown =>
    typeof entry === "object" && entry !== null ? heldUntil(entry, untilMs, held) : entry;
  if (Array.isArray(value)) return value.map(copied);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, copied(entry)]));
}
