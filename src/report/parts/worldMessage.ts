import { Series } from "../../engine/series/model/series.ts";

/** Worlds that a thread has received: a message keeps data, and which objects are shared, but not the class of their series. */
export const readWorldMessage = <Message>(message: Message): Message => withSeries(message, new Map()) as Message;

/** Replaces the series in a value. @param known  objects that were visited, with what they are now */
function withSeries(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (known.has(value)) return known.get(value);
  if (isSeries(value)) {
    const { name, timesMs, values, interpolation } = value;
    known.set(value, new Series(name, timesMs, values, interpolation, value));
    return known.get(value);
  }
  known.set(value, value);
  const entries = value as Record<string, unknown>;
  for (const key in entries) {
    const entry = entries[key];
    if (typeof entry === "object" && entry !== null) entries[key] = withSeries(entry, known);
  }
  return value;
}

const isSeries = (value: object): value is Series => "runningSums" in value && "timesMs" in value;
