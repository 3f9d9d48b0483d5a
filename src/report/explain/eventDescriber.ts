// Events of an award and its members as text, with their effect on the award.

import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import type { EpochMs } from "../../base/time.ts";
import {
  boundOf,
  boundText,
  detailText,
  incidentText,
  outageText,
  outputControlText,
  partialFaultText,
  redispatchText,
  reductionText,
} from "../eventText.ts";
import { formatKw } from "../html/page/format.ts";
import type { PageTexts, Translate } from "../html/page/pageLocale.ts";
import { parseRefusalKind } from "../refusalText.ts";
import type { DispatchRound } from "./dispatchRounds.ts";
import type { EventRow } from "./readAwardFacts.ts";

/** State of a member after the entries of the chain so far. */
interface MemberState {
  /** `null`: not dispatched. */
  setpointKw: number | null;
  outSinceMs: EpochMs | null;
  returnedMs: EpochMs | null;
}

/** Tracks the members of an award. Call its methods in the order of the chain. */
export class EventDescriber {
  private readonly award: AwardRow;
  private readonly texts: PageTexts;
  private readonly members = new Map<string, MemberState>();

  constructor(award: AwardRow, texts: PageTexts) {
    this.award = award;
    this.texts = texts;
  }

  applyDispatch({ members }: DispatchRound): void {
    for (const { site, setpointKw } of members) this.stateOf(site).setpointKw = setpointKw;
  }

  /** One sentence without a final period. */
  describe(event: EventRow): string {
    const { kind, subject, detail } = event;
    const { t } = this.texts;
    const what = detailText(detail, t);
    switch (kind) {
      case "schedule_created":
        return this.registered(event);
      case "schedule_split":
        return detail === "" ? t("explain.split") : t("explain.split_why", { detail: what });
      case "schedule_deleted":
        return detail === "" ? t("explain.deleted") : t("explain.deleted_why", { detail: what });
      case "refusal":
        return refusalText(detail, t);
      case "redispatch":
        return t("explain.redispatched", { coverage: redispatchText(detail, this.award, t) ?? t("explain.covered") });
      default:
        return t("explain.of_subject", { subject, text: this.ofSite(event) });
    }
  }

  private ofSite(event: EventRow): string {
    const { kind, subject, detail } = event;
    const { t } = this.texts;
    switch (kind) {
      case "outage_start":
        return this.outageStart(event);
      case "outage_end":
        return this.outageEnd(event);
      case "noticed":
        return this.noticed(event);
      case "soc_bound":
        return this.bound(event);
      case "link":
        return this.link(subject, detail);
      case "output_control":
        return outputControlText(detail, t);
      case "connection_limit":
        return t("explain.limits", { limits: detailText(detail, t) });
      case "dr_event":
        return reductionText(detail, t);
      case "weight":
        return this.frozen(event, t("incident.weight", { weight: detail }));
      case "membership":
        return this.frozen(event, detailText(detail, t));
      default:
        return (
          incidentText(kind, detail, t) ??
          partialFaultText(kind, detail, t) ??
          (detail === "" ? kind : t("explain.unknown", { kind, detail: detailText(detail, t) }))
        );
    }
  }

  private registered({ atMs, detail }: EventRow): string {
    const { t, formatDuration } = this.texts;
    const aheadMs = this.award.startMs - atMs;
    if (detail === "immediate") return t("explain.immediate");
    return aheadMs <= 0
      ? t("explain.registered")
      : t("explain.registered_ahead", { duration: formatDuration(aheadMs) });
  }

  private outageStart({ atMs, subject, detail }: EventRow): string {
    const { t } = this.texts;
    const member = this.stateOf(subject);
    member.outSinceMs = atMs;
    member.returnedMs = null;
    const text = outageText(detail, t);
    const { startMs, state } = this.award;
    if (atMs < startMs) return t(state === "refused" ? "explain.out_at_refusal" : "explain.out_at_dispatch", { text });
    return member.setpointKw === null ? text : t("explain.no_longer", { text, kw: formatKw(member.setpointKw) });
  }

  private outageEnd({ atMs, subject }: EventRow): string {
    const { t, formatDuration } = this.texts;
    const member = this.stateOf(subject);
    const text =
      member.outSinceMs === null
        ? t("explain.back")
        : t("explain.back_after", { duration: formatDuration(atMs - member.outSinceMs) });
    member.outSinceMs = null;
    member.returnedMs = atMs;
    return member.setpointKw === null ? text : t("explain.back_unnoticed", { text, kw: formatKw(member.setpointKw) });
  }

  private noticed({ atMs, subject, detail }: EventRow): string {
    const { t } = this.texts;
    const member = this.stateOf(subject);
    const isOut = detail.startsWith("out");
    const sinceMs = isOut ? member.outSinceMs : member.returnedMs;
    const state = t(isOut ? "detail.out_of_service" : "detail.back_in_service");
    const text = this.noticedText(state, sinceMs === null ? null : atMs - sinceMs);
    return isOut && member.setpointKw !== null
      ? t("explain.withdrawn", { text, kw: formatKw(member.setpointKw) })
      : text;
  }

  /** With the delay of the detection: an evaluation detects a change at the first whole minute at or after it. */
  private noticedText(state: string, delayMs: number | null): string {
    const { t, formatDuration } = this.texts;
    if (delayMs === null) return t("explain.noticed", { state });
    return delayMs === 0
      ? t("explain.noticed_at_once", { state })
      : t("explain.noticed_later", { state, delay: formatDuration(delayMs) });
  }

  private bound({ subject, detail }: EventRow): string {
    const { t } = this.texts;
    const { setpointKw } = this.stateOf(subject);
    const text = boundText(detail, t);
    if (!isLimitingBound(this.award, detail)) return t("explain.no_limit", { text });
    if (setpointKw === null) return text;
    const key = boundOf(detail).component === null ? "explain.no_longer" : "explain.no_contribution";
    return t(key, { text, kw: formatKw(setpointKw) });
  }

  private link(site: string, detail: string): string {
    const { t } = this.texts;
    const isDown = detail === "down";
    const text = t(isDown ? "incident.link.down" : "incident.link.up");
    const { setpointKw } = this.stateOf(site);
    return isDown && setpointKw !== null ? t("explain.link_continues", { text, kw: formatKw(setpointKw) }) : text;
  }

  /** Weights and members of a running award are those of its start (docs/model/allocation.md#frozen-weights). */
  private frozen({ atMs }: EventRow, text: string): string {
    return this.award.startMs < atMs ? this.texts.t("explain.from_next_start", { text }) : text;
  }

  private stateOf(site: string): MemberState {
    let member = this.members.get(site);
    if (member === undefined)
      this.members.set(site, (member = { setpointKw: null, outSinceMs: null, returnedMs: null }));
    return member;
  }
}

/** Whether this bound (`empty`, `full`) limits the direction of the request; FCR needs both directions. */
export const isLimitingBound = ({ requestedKw, isFcr }: AwardRow, detail: string): boolean =>
  isFcr || boundOf(detail).bound === (requestedKw < 0 ? "empty" : "full");

function refusalText(detail: string, t: Translate): string {
  const kind = parseRefusalKind(detail);
  if (kind !== null) return t("explain.refused_because", { reason: t(`refusal.${kind}`), type: kind });
  return t(detail.startsWith("without") ? "explain.remains" : "explain.refused", { detail: detailText(detail, t) });
}
