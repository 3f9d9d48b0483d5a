import { Series } from "../../engine/series/model/series.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";

/** A series as plain data; all other values of a world are plain already. */
interface SeriesMessage {
  readonly isSeries: true;
  readonly name: string;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly interpolation: Series["interpolation"];
  readonly untilMs: number;
  readonly isFirstRepeated: boolean;
}

/** A world as data that a thread can receive. Objects that sites share are shared in the message too. */
export const worldMessage = (spec: WorldSpec): unknown => copyOf(spec, new Map(), toMessage);

export const readWorldMessage = (message: unknown): WorldSpec => copyOf(message, new Map(), fromMessage) as WorldSpec;

const toMessage = (value: object): SeriesMessage | null => {
  if (!(value instanceof Series)) return null;
  const { name, timesMs, values, interpolation, untilMs, isFirstRepeated } = value;
  return { isSeries: true, name, timesMs, values, interpolation, untilMs, isFirstRepeated };
};

function fromMessage(value: object): Series | null {
  if (!("isSeries" in value)) return null;
  const { name, timesMs, values, interpolation, untilMs, isFirstRepeated } = value as SeriesMessage;
  return new Series(name, timesMs, values, interpolation, { untilMs, isFirstRepeated });
}

/** A deep copy with replaced objects. */
function copyOf(value: unknown, copies: Map<object, unknown>, replace: (value: object) => object | null): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const replaced = replace(value);
  if (replaced !== null) {
    copies.set(value, replaced);
    return replaced;
  }
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
  copies.set(value, copy);
  for (const [key, entry] of Object.entries(value))
    (copy as Record<string, unknown>)[key] = copyOf(entry, copies, replace);
  return copy;
}
