// One dispatch in words: who was told what, who takes over, who was left out and why.
import { formatCount, formatKw } from "../html/page/format.ts";
import { REFUSAL_TEXT } from "../html/sections/refusalText.ts";
import { type DispatchRound, isAtCapability, type MemberDispatch } from "./dispatchRounds.ts";
import { parseRefusalKind } from "./parseAwardRow.ts";

/** More names than this help nobody; the JSON has all of them. */
const NAMES_MAX = 8;
/** Below half a printed digit nothing is lacking. */
const PRINTED_MIN_KW = 0.05;

/** One sentence, without a final dot. */
export function dispatchHeadline({
  isFirst,
  members,
  uncoveredKw,
  uncoveredFcrCapacityKw: uncoveredWidthKw,
}: DispatchRound): string {
  const widthHead = (uncoveredWidthKw ?? 0) < PRINTED_MIN_KW ? "its width" : "of its width";
  const width = uncoveredWidthKw === null ? "" : `; ${widthHead} ${coverage(uncoveredWidthKw)}`;
  const rest = `${coverage(uncoveredKw)}${width}`;
  if (!isFirst) return `Shared anew: ${rest}`;
  const told = members.filter(hasSetpoint).length;
  const who =
    told === members.length ? formatCount(told, "member") : `${told} of ${formatCount(members.length, "member")}`;
  return `First dispatch, to ${who}: ${rest}`;
}

const coverage = (uncoveredKw: number): string =>
  Math.abs(uncoveredKw) < PRINTED_MIN_KW ? "covered in full" : `${formatKw(uncoveredKw)} not covered`;

/** One that takes no part in a compound's delta may hold a width alone. */
const hasSetpoint = ({ setpointKw: toldKw, fcrCapacityKw: widthKw }: MemberDispatch): boolean =>
  toldKw !== null || widthKw !== null;

/** Who was concerned and how, a line per kind of change. */
export function dispatchLines(round: DispatchRound): readonly string[] {
  const changes = round.members.filter(hasSetpoint);
  const changeKw = ({ setpointKw: toldKw, previousSetpointKw: beforeKw }: MemberDispatch): number =>
    Math.abs(toldKw ?? 0) - Math.abs(beforeKw ?? 0);
  const isNew = ({ previousSetpointKw: beforeKw }: MemberDispatch): boolean => beforeKw === null;
  const held = changes.filter((member) => !isNew(member));
  return [
    ...line(round.isFirst ? "told" : "told again", bySize(changes.filter(isNew)), setpointText),
    ...line(
      "take over",
      bySize(held.filter((member) => 0 < changeKw(member))),
      (member) => `${changedSetpointText(member)} (${formatKw(changeKw(member))} more)${limitText(member)}`,
    ),
    ...line("give back", bySize(held.filter((member) => changeKw(member) < 0)), changedSetpointText),
    ...line(
      "tell as before",
      held.filter((member) => changeKw(member) === 0),
      setpointText,
    ),
    ...skippedLines(round.members.filter((member) => !hasSetpoint(member))),
  ];
}

function skippedLines(members: readonly MemberDispatch[]): readonly string[] {
  const byWhy = new Map<string, MemberDispatch[]>();
  for (const member of members) {
    const why = skipReasonText(member);
    byWhy.set(why, [...(byWhy.get(why) ?? []), member]);
  }
  return [...byWhy].flatMap(([why, sites]) =>
    line(why, sites, ({ site, previousSetpointKw: beforeKw }) =>
      beforeKw === null ? site : `${site} (had ${formatKw(beforeKw)})`,
    ),
  );
}

const SKIP_REASON_TEXT: Readonly<Record<string, string>> = {
  skipped_out_of_service: "left out, out of service",
  skipped_weight_zero: "left out, weight 0",
  skipped_baseline_missing: "left out, no baseline",
  skipped_incompatible: "left out, cannot serve this product or direction",
  failed: "told in vain, the instruction did not arrive",
};

function skipReasonText({ status, reason }: MemberDispatch): string {
  const kind = parseRefusalKind(reason ?? undefined);
  if (kind !== null) return `refused by the site, because ${REFUSAL_TEXT[kind]} (${kind})`;
  return SKIP_REASON_TEXT[status] ?? `left out, ${reason ?? status}`;
}

const setpointText = (member: MemberDispatch): string =>
  `${member.site}${member.setpointKw === null ? "" : ` ${formatKw(member.setpointKw)}`}${fcrCapacityText(member)}${limitText(member)}`;
const changedSetpointText = (member: MemberDispatch): string =>
  `${member.site} ${formatKw(member.previousSetpointKw ?? 0)} -> ${formatKw(member.setpointKw ?? 0)}${fcrCapacityText(member)}`;
const fcrCapacityText = ({ fcrCapacityKw: widthKw }: MemberDispatch): string =>
  widthKw === null ? "" : ` with a width of ${formatKw(widthKw)}`;
const limitText = (member: MemberDispatch): string => (isAtCapability(member) ? ", all it can give" : "");

function bySize(members: readonly MemberDispatch[]): readonly MemberDispatch[] {
  const size = ({ setpointKw: toldKw, previousSetpointKw: beforeKw }: MemberDispatch): number =>
    Math.abs((toldKw ?? 0) - (beforeKw ?? 0));
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
  const more = members.length - texts.length;
  return [`${head}: ${more > 0 ? `${texts.join("; ")}; and ${more} more` : texts.join("; ")}`];
}
