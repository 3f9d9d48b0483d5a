import type { DashboardConfig, SessionView } from "../../api/client/sandboxTypes.ts";

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
