import type { ClockRecord, DashboardConfig, SessionView } from "../../api/client/sandboxTypes.ts";
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

type ServerFacts = Pick<DashboardConfig, "auth_url" | "version">;
type SessionFacts = Pick<SessionView, "scenario" | "vpps" | "sites">;

/** Whether the document of a page was made for another server: its policy has the old addresses, its code the old version. */
export const isOtherServer = (known: ServerFacts, served: ServerFacts): boolean =>
  known.auth_url !== served.auth_url || known.version !== served.version;

/** Whether a session is not the one that a page began with. Members may join and leave within a session. */
export const isOtherSession = (known: SessionFacts, served: SessionFacts): boolean =>
  identityOf(known) !== identityOf(served);

const identityOf = ({ scenario, vpps, sites }: SessionFacts): string => {
  const { name, starts_at, ends_at, zone, opened_at } = scenario;
  const ids = [...vpps.map(({ vpp_id }) => vpp_id), ...sites.map(({ ems_id }) => ems_id)];
  return JSON.stringify([name, starts_at, ends_at, zone, opened_at, ids]);
};
