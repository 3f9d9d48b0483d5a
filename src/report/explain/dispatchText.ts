// One dispatch as text: new, increased and reduced set-points, and skipped members with their reasons.
import { excessText } from "../eventText.ts";
import { formatCount, formatKw, PRINTED_MIN } from "../html/page/format.ts";
import { parseRefusalKind, REFUSAL_TEXT } from "../refusalText.ts";
import { type DispatchRound, isAtCapability, type MemberDispatch } from "./dispatchRounds.ts";

/** Maximum number of listed names; the JSON has all of them. */
const NAMES_MAX = 8;
/** One sentence without a final period. */
export function dispatchHeadline(
  { isFirst, members, uncoveredKw, uncoveredFcrCapacityKw }: DispatchRound,
  requestedKw: number,
): string {
  const fcr = uncoveredFcrCapacityKw === null ? "" : `; FCR capacity ${uncoveredText(uncoveredFcrCapacityKw)}`;
  const coverage = `${coverageText(uncoveredKw, requestedKw)}${fcr}`;
  if (!isFirst) return `Re-dispatched: ${coverage}`;
  const count = members.filter(hasSetpoint).length;
  const recipients =
    count === members.length ? formatCount(count, "member") : `${count} of ${formatCount(members.length, "member")}`;
  return `Dispatched to ${recipients}: ${coverage}`;
}

/** After a refused re-dispatch the set-points can exceed the request: the site that refused keeps its earlier one. */
const coverageText = (uncoveredKw: number, requestedKw: number): string =>
  uncoveredKw * requestedKw < 0 && PRINTED_MIN <= Math.abs(uncoveredKw)
    ? excessText(uncoveredKw)
    : uncoveredText(uncoveredKw);

const uncoveredText = (uncoveredKw: number): string =>
  Math.abs(uncoveredKw) < PRINTED_MIN ? "covered in full" : `${formatKw(uncoveredKw)} uncovered`;

/** A member of a compound may have an FCR capacity without a share of the delta. */
const hasSetpoint = ({ setpointKw, fcrCapacityKw }: MemberDispatch): boolean =>
  setpointKw !== null || fcrCapacityKw !== null;

/** One line per kind of change, with its members. */
export function dispatchLines(round: DispatchRound): readonly string[] {
  const dispatched = round.members.filter(hasSetpoint);
  const changeKw = ({ setpointKw, previousSetpointKw }: MemberDispatch): number =>
    Math.abs(setpointKw ?? 0) - Math.abs(previousSetpointKw ?? 0);
  const isNew = ({ previousSetpointKw }: MemberDispatch): boolean => previousSetpointKw === null;
  const continued = dispatched.filter((member) => !isNew(member));
  return [
    ...line(round.isFirst ? "dispatched" : "dispatched again", bySize(dispatched.filter(isNew)), setpointText),
    ...line(
      "increased",
      bySize(continued.filter((member) => 0 < changeKw(member))),
      (member) => `${changedSetpointText(member)} (${formatKw(changeKw(member))} more)${limitText(member)}`,
    ),
    ...line("reduced", bySize(continued.filter((member) => changeKw(member) < 0)), changedSetpointText),
    ...line(
      "unchanged",
      continued.filter((member) => changeKw(member) === 0),
      setpointText,
    ),
    ...skippedLines(round.members.filter((member) => !hasSetpoint(member))),
  ];
}

function skippedLines(members: readonly MemberDispatch[]): readonly string[] {
  const byReason = new Map<string, MemberDispatch[]>();
  for (const member of members) {
    const reason = skipReasonText(member);
    byReason.set(reason, [...(byReason.get(reason) ?? []), member]);
  }
  return [...byReason].flatMap(([reason, skipped]) =>
    line(reason, skipped, ({ site, previousSetpointKw }) =>
      previousSetpointKw === null ? site : `${site} (was ${formatKw(previousSetpointKw)})`,
    ),
  );
}

const SKIP_REASON_TEXT: Readonly<Record<string, string>> = {
  skipped_out_of_service: "skipped, out of service",
  skipped_weight_zero: "skipped, weight 0",
  skipped_baseline_missing: "skipped, no baseline",
  skipped_incompatible: "skipped, cannot serve this product or direction",
  failed: "not delivered, the instruction did not arrive",
};

function skipReasonText({ status, reason }: MemberDispatch): string {
  const kind = parseRefusalKind(reason ?? undefined);
  if (kind !== null) return `refused by the site because ${REFUSAL_TEXT[kind]} (${kind})`;
  return SKIP_REASON_TEXT[status] ?? `skipped, ${reason ?? status}`;
}

const setpointText = (member: MemberDispatch): string =>
  `${member.site}${member.setpointKw === null ? "" : ` ${formatKw(member.setpointKw)}`}${fcrCapacityText(member)}${limitText(member)}`;
const changedSetpointText = (member: MemberDispatch): string =>
  `${member.site} ${formatKw(member.previousSetpointKw ?? 0)} -> ${formatKw(member.setpointKw ?? 0)}${fcrCapacityText(member)}`;
const fcrCapacityText = ({ fcrCapacityKw }: MemberDispatch): string =>
  fcrCapacityKw === null ? "" : ` with ${formatKw(fcrCapacityKw)} of FCR capacity`;
const limitText = (member: MemberDispatch): string => (isAtCapability(member) ? ", at its capability" : "");

/** Largest change first. */
function bySize(members: readonly MemberDispatch[]): readonly MemberDispatch[] {
  const size = ({ setpointKw, previousSetpointKw }: MemberDispatch): number =>
    Math.abs((setpointKw ?? 0) - (previousSetpointKw ?? 0));
  return members
    .map((member, k) => ({ member, k }))
    .sort((a, b) => size(b.member) - size(a.member) || a.k - b.k)
    .map(({ member }) => member);
}

function line(
  head: string,
  members: readonly MemberDispatch[],
  textOf: (member: MemberDispatch) => string,
): readonly string[] {
  if (members.length === 0) return [];
  const texts = members.slice(0, NAMES_MAX).map(textOf);
  const omittedCount = members.length - texts.length;
  return [`${head}: ${omittedCount > 0 ? `${texts.join("; ")}; and ${omittedCount} more` : texts.join("; ")}`];
}
