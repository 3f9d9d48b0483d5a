import type { Answer, ApiRequest } from "../../../api/endpoints/route.ts";
import { wireTime } from "../../../api/endpoints/shared/wireTime.ts";
import { roundKw } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { RunEventKind } from "../../../engine/simulation/observer.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { AwardNames } from "../../../report/awardNames.ts";
import type { FeedEvent } from "./eventFeed.ts";
import type { NoticedChange } from "./noticeBoard.ts";
import { requestFacts, requestText } from "./requestFacts.ts";

/** An answered request of a client as an event. */
export function commandEvent(
  world: WorldSpec,
  request: ApiRequest,
  { status, body: answer }: Answer,
  atMs: EpochMs,
): FeedEvent {
  const { api, id, method, path } = request;
  const facts = requestFacts(world, request);
  const isRefused = status >= 400;
  const error = isRefused ? (answer as { readonly error?: ErrorFields } | undefined)?.error : undefined;
  const { act, target, member, values } = facts;
  return {
    atMs,
    kind: isRefused ? "command_refused" : "command",
    site: world.sites.find(({ emsId }) => emsId === id)?.name ?? member ?? null,
    awardId: null,
    award: null,
    vpp: world.vpps.find(({ vppId }) => vppId === id)?.name ?? null,
    detail: `${requestText(facts, request)}${isRefused ? `: refused with ${status}${error?.details === undefined ? "" : `: ${error.details}`}` : ""}`,
    data: {
      api,
      method,
      path,
      status,
      error_type: error?.error_type ?? null,
      act,
      target,
      ...(member === undefined ? {} : { member }),
      ...values,
    },
  };
}

interface ErrorFields {
  readonly error_type?: string;
  readonly details?: string;
}

/** A rounded power with its unit, such as `-200 kW`. */
const kwText = (kw: number): string => `${roundKw(kw)} kW`;

/** What happened to an award, by the change in its data. */
const CHANGE_TEXT: Readonly<Record<string, (by: string) => string>> = {
  cut: (by) => `is cut by ${by}`,
  replaced: (by) => `is replaced by ${by}`,
  deleted: () => "is deleted before its start",
  no_effect: (by) => `has no effect: ${by} is running`,
};

/** The English text of an event. */
export function eventText(event: FeedEvent, names: AwardNames): string {
  const { kind, site, awardId, award, detail, data } = event;
  if (kind === "command" || (kind === "command_refused" && data?.method !== undefined)) return detail;
  if (awardId === null) return site === null || detail.includes(site) ? detail : `${site}: ${detail}`;
  const name = names.nameOf(awardId);
  const change = CHANGE_TEXT[String(data?.change)];
  if (change !== undefined) return `${name} ${change(names.nameOf(String(data?.by_award_id)))}`;
  const requested = award === null ? "" : kwText(award.requestedKw);
  switch (kind) {
    case "award_registered":
      return `${name} is registered: ${requested}`;
    case "award_started":
      return `${name} starts: ${requested}`;
    case "award_ended":
      return `${name} ends`;
    case "dispatched":
    case "redispatched": {
      const [count, members] = [String(data?.dispatched_count), String(data?.member_count)];
      return `${name}: dispatched to ${count} of ${members} members, ${kwText(Number(data?.uncovered_kw ?? 0))} uncovered`;
    }
    default:
      return `${site ?? name} ${detail}`;
  }
}

/** The data of an event as its readers see it. */
export const eventData = (
  { vpp, awardId, award, data }: FeedEvent,
  names: AwardNames,
): Readonly<Record<string, unknown>> => ({
  ...(vpp === null ? {} : { vpp }),
  ...(awardId === null ? {} : { name: names.nameOf(awardId) }),
  ...(award === null
    ? {}
    : {
        sku: award.sku,
        starts_at: wireTime(award.startMs),
        ends_at: wireTime(award.endMs),
        requested_kw: award.requestedKw,
      }),
  ...data,
  ...(typeof data?.by_award_id === "string" ? { by_name: names.nameOf(data.by_award_id) } : {}),
});

/** A noticed change of a site, as an operator would say it. */
export function noticedEvent({ site, subject, state, sinceMs, noticedMs }: NoticedChange): FeedEvent {
  const isOver = state === null;
  const event = { atMs: noticedMs, site, awardId: null, award: null, vpp: null };
  const data = { effect: subject, since: wireTime(sinceMs) };
  if (subject === "service") {
    const status = isOver ? "in_service" : "out_of_service";
    const text = isOver ? `${site} is back in service` : `${site} is out of service`;
    return { ...event, kind: "status_changed", detail: text, data: { ...data, status } };
  }
  const [begun, over] = EFFECT_TEXT[subject](state ?? "");
  return {
    ...event,
    kind: isOver ? "fault_cleared" : "fault_noticed",
    detail: `${site}${isOver ? over : begun}`,
    data: { ...data, ...(subject === "output_limited" && !isOver ? { detail: state } : {}) },
  };
}

const EFFECT_TEXT: Readonly<Record<string, (state: string) => readonly [string, string]>> = {
  no_data: () => [" sends no values", " sends values again"],
  warning: () => [" reports a warning", " reports no warning any more"],
  no_frequency_response: () => [" does not respond to the frequency", " responds to the frequency again"],
  output_limited: (state) => [`: output limited to ${state}`, ": output is not limited any more"],
};

/** The state of a site that an event of the run concerns; `null`: the event is no fault. */
export function effectOf(
  kind: RunEventKind,
  site: Site,
): { readonly subject: string; readonly state: string | null } | null {
  const active = (subject: string, count: number) => ({ subject, state: count > 0 ? "on" : null });
  switch (kind) {
    case "outage_start":
    case "outage_end":
      return active("service", site.activeOutageCount);
    case "link":
      return active("no_data", site.activeLinkFaultCount);
    case "warning":
      return active("warning", site.activeWarningCount);
    case "fcr_fault":
      return active("no_frequency_response", site.activeFcrFaultCount);
    case "derate":
      return active("derated", Number(site.malfunctions.derateShare < 1));
    case "output_control": {
      const isLimited = site.outputControls.length > 0;
      return { subject: "output_limited", state: isLimited ? `${Math.round(100 * site.outputLimitShare)} %` : null };
    }
    default:
      return null;
  }
}
