// The explanation of one award for the terminal.
import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import { awardSentence } from "../awardSentence.ts";
import { formatFixed, formatKw } from "../html/page/format.ts";
import type { PageLocale, Translate } from "../html/page/pageLocale.ts";
import { alignColumns, padEndColumns, widestColumns, wrapText } from "../terminalText.ts";
import type { ChainEntry } from "./buildChain.ts";
import type { AwardShares, CauseShare } from "./causeShares.ts";
import { dispatchLines } from "./dispatchText.ts";
import type { AwardFacts } from "./readAwardFacts.ts";
import type { SessionParts } from "./sessionParts.ts";

/** Maximum number of listed names; the JSON has all of them. */
const NAMES_MAX = 8;

export function explainText(
  facts: AwardFacts,
  chain: readonly ChainEntry[],
  { shortfall, uncovered, fcrUncovered, session }: AwardShares & { readonly session: SessionParts | null },
  locale: PageLocale,
): string {
  const { award, notes } = facts;
  const { t } = locale;
  const blocks = [
    headBlock(award, locale),
    chainBlock(chain, locale),
    shareBlock(uncoveredTitle(award, t), uncovered, { total: award.uncoveredKw, unit: "kW", t }),
    shareBlock(fcrCapacityTitle(award, t), fcrUncovered, { total: award.fcr?.uncoveredKw ?? null, unit: "kW", t }),
    shareBlock(shortfallTitle(award, t), shortfall, { total: award.shortfallKwh, unit: "kWh", t }),
    session === null ? [] : sessionBlock(session, locale),
    responseBlock(award, t),
    notes.flatMap((note) => wrapText(t("explain.note"), note)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headBlock(award: AwardRow, locale: PageLocale): readonly string[] {
  const { awardId, kind, vpp, sku, startMs, endMs } = award;
  const { t } = locale;
  const head = t(`explain.head_${kind}`, {
    award: awardId,
    vpp,
    product: sku === null ? t("explain.no_product") : t("explain.product", { sku }),
    period: locale.formatPeriod(startMs, endMs),
    zone: locale.zoneText,
  });
  return [...wrapText("", head), ...wrapText("", awardSentence(award, locale))];
}

function chainBlock(chain: readonly ChainEntry[], locale: PageLocale): readonly string[] {
  if (chain.length === 0) return [];
  const width = Math.max(...chain.map(({ atMs }) => locale.formatExact(atMs).length));
  const indent = " ".repeat(width + 6);
  return [
    locale.t("explain.events"),
    ...chain.flatMap(({ atMs, text, round }) => [
      ...wrapText(`  ${locale.formatExact(atMs).padEnd(width)}  `, text),
      ...(round === null ? [] : dispatchLines(round, locale.t)).flatMap((line) => wrapText(indent, line)),
    ]),
  ];
}

const uncoveredTitle = ({ uncoveredKw, requestedKw }: AwardRow, t: Translate): string =>
  t("explain.uncovered_title", {
    kw: formatKw(Math.abs(uncoveredKw ?? 0)),
    requested: formatKw(Math.abs(requestedKw)),
  });

const fcrCapacityTitle = ({ fcr }: AwardRow, t: Translate): string =>
  t("explain.fcr_title", { kw: formatKw(fcr?.uncoveredKw ?? 0), requested: formatKw(fcr?.responseKw ?? 0) });

/** Activated energy of an award with frequency response. */
function responseBlock({ fcr }: AwardRow, t: Translate): readonly string[] {
  if (fcr === null || fcr.activatedUpKwh === null || fcr.activatedDownKwh === null) return [];
  const response = t("explain.response", {
    up: formatFixed(fcr.activatedUpKwh, 3),
    down: formatFixed(fcr.activatedDownKwh, 3),
    kw: formatKw(fcr.meanResponseKw ?? 0),
    minutes: formatFixed(fcr.minutesAtBound ?? 0, 1),
  });
  return wrapText(t("explain.response_head"), response);
}

const shortfallTitle = ({ shortfallKwh, requestedKwh }: AwardRow, t: Translate): string =>
  t("explain.shortfall_title", {
    kwh: formatFixed(shortfallKwh ?? 0, 3),
    requested: formatFixed(Math.abs(requestedKwh ?? 0), 3),
  });

/** Amounts have three decimals, as in the files, so that they add up. */
function shareBlock(
  title: string,
  shares: readonly CauseShare[],
  { total, unit, t }: { readonly total: number | null; readonly unit: string; readonly t: Translate },
): readonly string[] {
  if (shares.length === 0 || total === null) return [];
  const rows = [
    ...shares.map((share) => ({ name: share.cause, amount: share.amount, text: shareText(share, unit, t) })),
    { name: t("explain.total"), amount: Math.abs(total), text: "" },
  ];
  const amounts = rows.map(({ amount }) => formatFixed(amount, 3));
  const nameWidth = widestColumns(rows.map(({ name }) => name));
  const amountWidth = Math.max(...amounts.map(({ length }) => length));
  return [
    ...wrapText("", title),
    ...rows.flatMap(({ name, text }, k) =>
      wrapText(`  ${padEndColumns(name, nameWidth)}  ${amounts[k].padStart(amountWidth)} ${unit}  `, text),
    ),
  ];
}

function sessionBlock(
  { openedMs, shortfallKwh, causes, largestUncoveredKw }: SessionParts,
  locale: PageLocale,
): readonly string[] {
  const { t } = locale;
  const rows = [
    ...causes.map((part) => ({ name: part.cause, ...part, unit: "kWh", decimals: 3 })),
    { name: t("explain.row_shortfall"), ...shortfallKwh, unit: "kWh", decimals: 3 },
    ...(largestUncoveredKw === null
      ? []
      : [{ name: t("explain.row_uncovered"), ...largestUncoveredKw, unit: "kW", decimals: 1 }]),
  ];
  const cells = rows.map(({ name, before, within, unit, decimals }) => [
    name,
    ...[before, within].map((amount) => `${formatFixed(amount, decimals)} ${unit}`),
  ]);
  return [
    ...wrapText("", t("explain.session", { at: locale.formatExact(openedMs) })),
    ...alignColumns([["", t("explain.before_session"), t("explain.in_session")], ...cells]),
  ];
}

function shareText({ cause, amount, members }: CauseShare, unit: string, t: Translate): string {
  const label = t(`cause.${cause}`);
  if (members.length === 0) return label;
  const names = members
    .slice(0, NAMES_MAX)
    .map((member) =>
      member.amount === null ? member.site : `${member.site} ${formatFixed(member.amount, 1)}\u00a0${unit}`,
    );
  const unnamed = members.reduce((rest, member) => rest - (member.amount ?? amount), amount);
  // A report names three pairs of member and cause per award, so there may be others.
  const values = { cause: label, members: names.join(t("list.separator")) };
  const count = members.length - NAMES_MAX;
  if (count > 0) return t("explain.share_more", { ...values, count });
  return t(unnamed < 0.05 ? "explain.share" : "explain.share_others", values);
}
