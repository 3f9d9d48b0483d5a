import { isoUtc } from "../../../../base/time.ts";
import type { SiteSpec } from "../../../../engine/site/siteSpec.ts";
import type {
  DrillView,
  SandboxAction,
  SandboxRole,
  SessionView,
  SiteView,
} from "../../../../live/session/sandboxReads.ts";
import type { Session } from "../../../../live/session/session.ts";
import { textOf } from "../../../../texts/catalogue.ts";
import { wireTime } from "../../../endpoints/shared/wireTime.ts";

/** What a session view says of its caller. */
interface CallerView {
  readonly role: SandboxRole;
  readonly separated: boolean;
  readonly may: readonly SandboxAction[];
  readonly hasReport: boolean;
  readonly drill: DrillView | null;
}

/** `GET /sandbox/session` */
export function sessionView(session: Session, { role, separated, may, hasReport, drill }: CallerView): SessionView {
  const { scenario, hosted, openedMs } = session;
  const { world } = hosted;
  return {
    role,
    separated,
    may,
    scenario: {
      name: scenario.name,
      starts_at: isoUtc(scenario.world.startMs),
      ends_at: isoUtc(scenario.world.endMs),
      zone: scenario.timezone,
      opened_at: isoUtc(openedMs),
    },
    now: wireTime(world.nowMs),
    vpps: world.vpps.map(({ spec, members }) => ({
      name: spec.name,
      vpp_id: spec.vppId,
      members: members.map(({ site }) => world.sites[site].spec.name),
    })),
    sites: scenario.world.sites.map(siteView),
    has_report: hasReport,
    drill,
  };
}

function siteView({ name, emsId, components }: SiteSpec): SiteView {
  const classes = [...new Set(components.map(({ kind }) => kind as string))];
  const labels = [...new Set(components.map(({ kind }) => textOf("en", `component.${kind}`)))];
  return { name, ems_id: emsId, site_id: emsId, classes, kind_text: listText(labels) };
}

/** `battery, PV plant and load` */
const listText = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
