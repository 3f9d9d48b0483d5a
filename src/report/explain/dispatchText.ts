// One dispatch as text: new, increased and reduced set-points, and skipped members with their reasons.
import { knownKey } from "../../texts/catalogue.ts";
import { formatKw, PRINTED_MIN } from "../html/page/format.ts";
import type { Translate } from "../html/page/pageLocale.ts";
import { parseRefusalKind } from "../refusalText.ts";
import { type DispatchRound, isAtCapability, type MemberDispatch } from "./dispatchRounds.ts";

/** Maximum number of listed names; the JSON has all of them. */
const NAMES_MAX = 8;
/** One sentence without a final period. */
export function dispatchHeadline(
  { isFirst, members, uncoveredKw, uncoveredFcrCapacityKw: fcrKw }: DispatchRound,
  requestedKw: number,
  t: Translate,
): string {
  const ofDelta = coverageText(uncoveredKw, requestedKw, t);
  const coverage = fcrKw === null ? ofDelta : t("explain.fcr", { coverage: ofDelta, fcr: uncoveredText(fcrKw, t) });
  if (!isFirst) return t("explain.redispatched", { coverage });
  const some = members.filter(hasSetpoint).length;
  const count = members.length;
  return t(some === count ? "explain.dispatched" : "explain.dispatched_some", { some, count, coverage });
}

/** After a refused re-dispatch the set-points can exceed the request: the site that refused keeps its earlier one. */
const coverageText = (uncoveredKw: number, requestedKw: number, t: Translate): string =>
  uncoveredKw * requestedKw < 0 && PRINTED_MIN <= Math.abs(uncoveredKw)
    ? t("incident.excess", { kw: formatKw(Math.abs(uncoveredKw)) })
    : uncoveredText(uncoveredKw, t);

const uncoveredText = (uncoveredKw: number, t: Translate): string =>
  Math.abs(uncoveredKw) < PRINTED_MIN ? t("explain.covered") : t("incident.uncovered", { kw: formatKw(uncoveredKw) });

/** A member of a compound may have an FCR capacity without a share of the delta. */
const hasSetpoint = ({ setpointKw, fcrCapacityKw }: MemberDispatch): boolean =>
  setpointKw !== null || fcrCapacityKw !== null;

/** One line per kind of change, with its members. */
export function dispatchLines(round: DispatchRound, t: Translate): readonly string[] {
  const dispatched = round.members.filter(hasSetpoint);
  const changeKw = ({ setpointKw, previousSetpointKw }: MemberDispatch): number =>
    Math.abs(setpointKw ?? 0) - Math.abs(previousSetpointKw ?? 0);
  const isNew = ({ previousSetpointKw }: MemberDispatch): boolean => previousSetpointKw === null;
  const continued = dispatched.filter((member) => !isNew(member));
  const line = (kind: LineKind, members: readonly MemberDispatch[], textOf: (member: MemberDispatch) => string) =>
    lineOf(t(`explain.line.${kind}`), members, textOf, t);
  const setpoint = (member: MemberDispatch): string => setpointText(member, t);
  const changed = (member: MemberDispatch): string => changedSetpointText(member, t);
  const increased = (member: MemberDispatch): string =>
    limitText(member, t("explain.more_kw", { member: changed(member), kw: formatKw(changeKw(member)) }), t);
  return [
    ...line(round.isFirst ? "dispatched" : "dispatched_again", bySize(dispatched.filter(isNew)), setpoint),
    ...line("increased", bySize(continued.filter((member) => 0 < changeKw(member))), increased),
    ...line("reduced", bySize(continued.filter((member) => changeKw(member) < 0)), changed),
    ...line(
      "unchanged",
      continued.filter((member) => changeKw(member) === 0),
      setpoint,
    ),
    ...skippedLines(
      round.members.filter((member) => !hasSetpoint(member)),
      t,
    ),
  ];
}

type LineKind = "dispatched" | "dispatched_again" | "increased" | "reduced" | "unchanged";

function skippedLines(members: readonly MemberDispatch[], t: Translate): readonly string[] {
  const byReason = new Map<string, MemberDispatch[]>();
  for (const member of members) {
    const reason = skipReasonText(member, t);
    byReason.set(reason, [...(byReason.get(reason) ?? []), member]);
  }
  const textOf = ({ site, previousSetpointKw }: MemberDispatch): string =>
    previousSetpointKw === null ? site : t("explain.was", { site, kw: formatKw(previousSetpointKw) });
  return [...byReason].flatMap(([reason, skipped]) => lineOf(reason, skipped, textOf, t));
}

function skipReasonText({ status, reason }: MemberDispatch, t: Translate): string {
  const kind = parseRefusalKind(reason ?? undefined);
  if (kind !== null) return t("explain.skip_refused", { reason: t(`refusal.${kind}`), type: kind });
  const key = knownKey(`explain.skip.${status}`);
  return key === null ? t("explain.skip_unknown", { reason: reason ?? status }) : t(key);
}

function setpointText(member: MemberDispatch, t: Translate): string {
  const { site, setpointKw } = member;
  return limitText(member, fcrText(member, setpointKw === null ? site : `${site} ${formatKw(setpointKw)}`, t), t);
}

function changedSetpointText(member: MemberDispatch, t: Translate): string {
  const { site, previousSetpointKw, setpointKw } = member;
  return fcrText(member, `${site} ${formatKw(previousSetpointKw ?? 0)} -> ${formatKw(setpointKw ?? 0)}`, t);
}

const fcrText = ({ fcrCapacityKw }: MemberDispatch, member: string, t: Translate): string =>
  fcrCapacityKw === null ? member : t("explain.with_fcr", { member, kw: formatKw(fcrCapacityKw) });
const limitText = (dispatch: MemberDispatch, member: string, t: Translate): string =>
  isAtCapability(dispatch) ? t("explain.at_capability", { member }) : member;

/** Largest change first. */
function bySize(members: readonly MemberDispatch[]): readonly MemberDispatch[] {
  const size = ({ setpointKw, previousSetpointKw }: MemberDispatch): number =>
    Math.abs((setpointKw ?? 0) - (previousSetpointKw ?? 0));
  return members
    .map((member, k) => ({ member, k }))
    .sort((a, b) => size(b.member) - size(a.member) || a.k - b.k)
    .map(({ member }) => member);
}

function lineOf(
  head: string,
  members: readonly MemberDispatch[],
  textOf: (member: MemberDispatch) => string,
  t: Translate,
): readonly string[] {
  if (members.length === 0) return [];
  const values = { head, members: members.slice(0, NAMES_MAX).map(textOf).join(t("explain.members")) };
  const count = members.length - NAMES_MAX;
  return [count > 0 ? t("explain.line_more", { ...values, count }) : t("explain.line", values)];
}
