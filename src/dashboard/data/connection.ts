import type { ClockRecord } from "../../api/client/sandboxTypes.ts";
import type { Resource } from "./reads.ts";

export type ConnectionState = "connecting" | "running" | "frozen" | "lagging" | "disconnected";

/** Simulated seconds behind, in real seconds at the speed that was requested, from which the page says so. */
const LAG_REAL_SECONDS = 3;
const LAG_SECONDS_MIN = 10;

/** State of the world as the page sees it, from the reads of the clock. */
export function connectionState({ value, error }: Resource<ClockRecord>): ConnectionState {
  if (error !== null) return "disconnected";
  if (value === null) return "connecting";
  if (value.mode === "paused") return "frozen";
  const { speed, lag_seconds } = value;
  const isLagging = speed !== "max" && lag_seconds > Math.max(LAG_SECONDS_MIN, LAG_REAL_SECONDS * speed);
  return isLagging ? "lagging" : "running";
}
