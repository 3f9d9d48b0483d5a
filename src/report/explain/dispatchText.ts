// One dispatch in words: who was told what, who takes over, who was left out and why.
import { counted, formatKw } from "../html/page/format.ts";
import { REFUSAL_TEXT } from "../html/sections/refusalText.ts";
import { refusalKindOf } from "./awardOfRow.ts";
import { type DispatchRound, gaveAll, type MemberRound } from "./dispatchRounds.ts";

/** More names than this help nobody; the JSON has all of them. */
const NAMES_MAX = 8;
/** Below half a printed digit nothing is lacking. */
const NOTHING_PRINTED = 0.05;

/** One sentence, without a final dot. */
export function dispatchHeadline({ isFirst, members, uncoveredKw, uncoveredWidthKw }: DispatchRound): string {
  const widthHead = (uncoveredWidthKw ?? 0) < NOTHING_PRINTED ? "its width" : "of its width";
  const width = uncoveredWidthKw === null ? "" : `; ${widthHead} ${coverage(uncoveredWidthKw)}`;
  const rest = `${coverage(uncoveredKw)}${width}`;
  if (!isFirst) return `Shared anew: ${rest}`;
  const told = members.filter(isTold).length;
  const who = told === members.length ? counted(told, "member") : `${told} of ${counted(members.length, "member")}`;
  return `First dispatch, to ${who}: ${rest}`;
}

const coverage = (uncoveredKw: number): string =>
  Math.abs(uncoveredKw) < NOTHING_PRINTED ? "covered in full" : `${formatKw(uncoveredKw)} not covered`;

/** One that takes no part in a compound's delta may hold a width alone. */
const isTold = ({ toldKw, widthKw }: MemberRound): boolean => toldKw !== null || widthKw !== null;

/** Who was concerned and how, a line per kind of change. */
export function dispatchLines(round: DispatchRound): readonly string[] {
  const changes = round.members.filter(isTold);
  const changeKw = ({ toldKw, beforeKw }: MemberRound): number => Math.abs(toldKw ?? 0) - Math.abs(beforeKw ?? 0);
  const isNew = ({ beforeKw }: MemberRound): boolean => beforeKw === null;
  const held = changes.filter((member) => !isNew(member));
  return [
    ...line(round.isFirst ? "told" : "told again", bySize(changes.filter(isNew)), toldText),
    ...line(
      "take over",
      bySize(held.filter((member) => 0 < changeKw(member))),
      (member) => `${movedText(member)} (${formatKw(changeKw(member))} more)${limitText(member)}`,
    ),
    ...line("give back", bySize(held.filter((member) => changeKw(member) < 0)), movedText),
    ...line(
      "tell as before",
      held.filter((member) => changeKw(member) === 0),
      toldText,
    ),
    ...leftOut(round.members.filter((member) => !isTold(member))),
  ];
}

function leftOut(members: readonly MemberRound[]): readonly string[] {
  const byWhy = new Map<string, MemberRound[]>();
  for (const member of members) {
    const why = whyLeftOut(member);
    byWhy.set(why, [...(byWhy.get(why) ?? []), member]);
  }
  return [...byWhy].flatMap(([why, sites]) =>
    line(why, sites, ({ site, beforeKw }) => (beforeKw === null ? site : `${site} (had ${formatKw(beforeKw)})`)),
  );
}

const WHY: Readonly<Record<string, string>> = {
  skipped_out_of_service: "left out, out of service",
  skipped_weight_zero: "left out, weight 0",
  skipped_baseline_missing: "left out, no baseline",
  skipped_incompatible: "left out, cannot serve this product or direction",
  failed: "told in vain, the instruction did not arrive",
};

function whyLeftOut({ status, reason }: MemberRound): string {
  const kind = refusalKindOf(reason ?? undefined);
  if (kind !== null) return `refused by the site, because ${REFUSAL_TEXT[kind]} (${kind})`;
  return WHY[status] ?? `left out, ${reason ?? status}`;
}

const toldText = (member: MemberRound): string =>
  `${member.site}${member.toldKw === null ? "" : ` ${formatKw(member.toldKw)}`}${widthText(member)}${limitText(member)}`;
const movedText = (member: MemberRound): string =>
  `${member.site} ${formatKw(member.beforeKw ?? 0)} -> ${formatKw(member.toldKw ?? 0)}${widthText(member)}`;
const widthText = ({ widthKw }: MemberRound): string =>
  widthKw === null ? "" : ` with a width of ${formatKw(widthKw)}`;
const limitText = (member: MemberRound): string => (gaveAll(member) ? ", all it can give" : "");

function bySize(members: readonly MemberRound[]): readonly MemberRound[] {
  const size = ({ toldKw, beforeKw }: MemberRound): number => Math.abs((toldKw ?? 0) - (beforeKw ?? 0));
  return members
    .map((member, k) => ({ member, k }))
    .sort((a, b) => size(b.member) - size(a.member) || a.k - b.k)
    .map(({ member }) => member);
}

function line(
  head: string,
  members: readonly MemberRound[],
  textOf: (member: MemberRound) => string,
): readonly string[] {
  if (members.length === 0) return [];
  const texts = members.slice(0, NAMES_MAX).map(textOf);
  const more = members.length - texts.length;
  return [`${head}: ${more > 0 ? `${texts.join("; ")}; and ${more} more` : texts.join("; ")}`];
}
