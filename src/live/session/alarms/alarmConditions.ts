import { groupBy, sumOf } from "../../../base/lists.ts";
import { roundTo } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { Cause } from "../sandboxReads.ts";
import { type AlarmCondition, type AlarmKind, type AlarmPriority, kindRank } from "./alarm.ts";
import type { AlarmSite, AwardFacts, StoreEnd, VppFacts } from "./alarmFacts.ts";
import {
  BAND_FREE_MS,
  FOUND_MS,
  GROUP_SITES,
  LASTING_MINUTES,
  PREPARATION_MS,
  priorityByPower,
  ruleOf,
} from "./alarmRules.ts";
import { type AlarmMessage, alarmMessage, causeKey } from "./alarmTexts.ts";
import type { FoundSince } from "./foundSince.ts";

/** One finding about one origin, before findings of one origin are merged. */
interface Finding {
  readonly origin: string;
  readonly kind: AlarmKind;
  readonly cause: Cause | null;
  readonly priority: AlarmPriority;
  readonly vpp: string;
  /** The most affected first. */
  readonly sites: readonly AlarmSite[];
  readonly awardId: string | null;
  /** Missing power, 0 where none is. */
  readonly kw: number;
  readonly sinceMs: EpochMs;
  readonly title: AlarmMessage;
  readonly signs: readonly AlarmMessage[];
}

type CauseRow = AwardFacts["rows"][number];
/** A row of an award, whose alarm may be raised. */
interface AwardRow {
  readonly vpp: VppFacts;
  readonly award: AwardFacts;
  readonly row: CauseRow;
}

/** All abnormal conditions of an instant in the order in which alarms are raised, one per origin (docs/model/sandbox.md#alarm-kinds). */
export function alarmConditions(
  vpps: readonly VppFacts[],
  found: FoundSince,
  nowMs: EpochMs,
): readonly AlarmCondition[] {
  const findings = vpps.flatMap((vpp) => {
    const ofRows = vpp.awards.flatMap((award) => awardFindings(vpp, award, nowMs));
    const known = [...memberFindings(vpp), ...ofRows];
    const early = earlyEndFindings(vpp, known, found, nowMs);
    const all = [...known, ...early];
    return [...all, ...vpp.awards.flatMap((award) => bandFindings(vpp, award, all, found, nowMs))];
  });
  const byOrigin = groupBy(findings, ({ origin }) => origin);
  return [...byOrigin.values()].map(mergeFindings).sort(byRaising);
}

const byRaising = (a: AlarmCondition, b: AlarmCondition): number =>
  a.priority - b.priority ||
  compare(a.siteOrder, b.siteOrder) ||
  compare(a.awardIds[0] ?? "", b.awardIds[0] ?? "") ||
  compare(a.origin, b.origin);

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** The finding of the worst kind, with the titles of the others among its signs. */
function mergeFindings(findings: readonly Finding[]): AlarmCondition {
  const ordered = [...findings].sort((a, b) => kindRank(a.kind) - kindRank(b.kind) || b.kw - a.kw);
  const [worst] = ordered;
  const present = ordered.filter(({ kind, cause }) => kind === worst.kind && cause === worst.cause);
  const kw = sumOf(present, (finding) => finding.kw);
  const others = ordered.filter(({ kind }) => kind !== worst.kind).map(({ title }) => title);
  const sites = distinctBy(
    ordered.flatMap((finding) => finding.sites),
    ({ index }) => index,
  );
  const byPower = [...findings].sort((a, b) => b.kw - a.kw);
  return {
    origin: worst.origin,
    kind: worst.kind,
    cause: worst.cause,
    priority: mostUrgent(findings.map(({ priority }) => priority)),
    vpp: worst.vpp,
    site: sites.length === 1 ? sites[0].name : null,
    sites: sites.map(({ name }) => name),
    siteOrder: sites[0]?.index ?? Number.POSITIVE_INFINITY,
    awardIds: distinct(byPower.flatMap(({ awardId }) => (awardId === null ? [] : [awardId]))),
    kw: kw > 0 ? roundTo(kw, 1) : null,
    sinceMs: Math.min(...present.map(({ sinceMs }) => sinceMs)),
    text: worst.title,
    signs: distinctBy([...ordered.flatMap(({ signs }) => signs), ...others], (sign) => JSON.stringify(sign)),
  };
}

const mostUrgent = (priorities: readonly AlarmPriority[]): AlarmPriority =>
  priorities.includes(1) ? 1 : priorities.includes(2) ? 2 : 3;

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The first value of each key. */
function distinctBy<T>(values: readonly T[], keyOf: (value: T) => string | number): T[] {
  const seen = new Set<string | number>();
  return values.filter((value) => seen.size < seen.add(keyOf(value)).size);
}

const siteOrigin = ({ name }: AlarmSite): string => `site:${name}`;
const awardOrigin = ({ awardId }: AwardFacts): string => `award:${awardId}`;

/** States of members that the VPP has noticed. */
function memberFindings({ vpp, outOfService, unreached, hasAward }: VppFacts): Finding[] {
  const place = (site: AlarmSite) => ({
    origin: siteOrigin(site),
    cause: null,
    vpp,
    sites: [site],
    awardId: null,
    kw: 0,
  });
  return [
    ...outOfService.map(({ site, noticedMs }): Finding => {
      const title = alarmMessage("out", { site: site.name });
      return {
        ...place(site),
        kind: "out_of_service",
        priority: hasAward ? 2 : 3,
        sinceMs: noticedMs,
        title,
        signs: [],
      };
    }),
    ...unreached.map(({ site, noticedMs, sinceMs }): Finding => {
      const title = alarmMessage("link", { site: site.name });
      const signs = [alarmMessage("sign.held", { at: { atMs: sinceMs } })];
      return { ...place(site), kind: "link", priority: 3, sinceMs: noticedMs, title, signs };
    }),
  ];
}

/** Missing power of an award, by cause and site. */
function awardFindings(vpp: VppFacts, award: AwardFacts, nowMs: EpochMs): Finding[] {
  const rows = award.rows
    .filter((row) => row.isReached && delayOf(row) <= nowMs - row.sinceMs)
    .map((row) => ({ vpp, award, row }));
  return [...groupBy(rows, ({ row }) => row.cause).values()].flatMap(groupFindings);
}

function delayOf({ stage, cause }: CauseRow): number {
  const isKnown = cause !== "not_yet_known";
  return stage === "allocation" && isKnown ? 0 : ruleOf(cause).delayMs;
}

/** Findings of one cause in one award: one per site, or one for all of many sites. */
function groupFindings(group: readonly AwardRow[]): Finding[] {
  const [{ row }] = group;
  const sites = distinct(group.flatMap(({ row: { site } }) => (site === null ? [] : [site.index])));
  if (ruleOf(row.cause).isGrouped && GROUP_SITES < sites.length) return [groupFinding(group, sites.length)];
  return group.map((each) =>
    each.row.site === null ? unplacedFinding(each) : siteFinding(each, each.row.site, group),
  );
}

const missingSign = ({ award: { awardId }, row: { stage, kw, sinceMs } }: AwardRow): AlarmMessage =>
  alarmMessage(stage === "allocation" ? "sign.uncovered" : "sign.not_delivered", {
    kw: { kw },
    award: { awardId },
    at: { atMs: sinceMs },
  });

/** @param group  the rows of the same cause and award: the power of both stages counts for the priority */
function siteFinding(each: AwardRow, site: AlarmSite, group: readonly AwardRow[]): Finding {
  const { vpp, award, row } = each;
  const { cause, kw } = row;
  const totalKw = sumOf(
    group.filter((other) => other.row.site?.index === site.index),
    (other) => other.row.kw,
  );
  const common = { origin: siteOrigin(site), vpp: vpp.vpp, sites: [site], awardId: award.awardId, kw, cause };
  const signs = [missingSign(each)];
  const outage = vpp.outOfService.find((member) => member.site.index === site.index);
  if (cause === "out_of_service" && outage !== undefined) {
    const title = alarmMessage("out", { site: site.name });
    return { ...common, kind: "out_of_service", priority: 1, sinceMs: outage.noticedMs, title, signs };
  }
  const priority = priorityByPower(award.requestedKw, totalKw);
  const unreached = vpp.unreached.find((member) => member.site.index === site.index);
  if (cause === "delivery_failed") {
    const title = alarmMessage("link", { site: site.name });
    return { ...common, kind: "link", priority, sinceMs: unreached?.noticedMs ?? row.sinceMs, title, signs };
  }
  const kind = kindOf(row);
  const title = alarmMessage(causeKey("site", cause), { site: site.name, kw: { kw: totalKw } });
  return { ...common, kind, priority: kind === "late" ? 3 : priority, sinceMs: row.sinceMs, title, signs };
}

/** An outage that no evaluation has noticed is like any other loss of delivered power. */
const kindOf = ({ stage, cause }: CauseRow): AlarmKind =>
  stage === "delivery" && cause === "out_of_service" ? "below_set_point" : ruleOf(cause).kind;

function groupFinding(group: readonly AwardRow[], siteCount: number): Finding {
  const [{ vpp, award, row }] = group;
  const { cause } = row;
  const kw = sumOf(group, (each) => each.row.kw);
  const largest = group.map((each) => each.row).sort((a, b) => b.kw - a.kw);
  const { kind } = ruleOf(cause);
  return {
    origin: `cause:${award.awardId}:${cause}`,
    kind,
    cause,
    priority: kind === "late" ? 3 : priorityByPower(award.requestedKw, kw),
    vpp: vpp.vpp,
    sites: largest.flatMap(({ site }) => (site === null ? [] : [site])),
    awardId: award.awardId,
    kw,
    sinceMs: Math.min(...largest.map(({ sinceMs }) => sinceMs)),
    title: alarmMessage(causeKey("group", cause), {
      count: { count: siteCount },
      kw: { kw },
      award: { awardId: award.awardId },
    }),
    signs: largest.map((each) => alarmMessage("sign.site_kw", { site: each.site?.name ?? "", kw: { kw: each.kw } })),
  };
}

/** Missing power that belongs to no single site, as where no member can serve the product. */
function unplacedFinding(each: AwardRow): Finding {
  const { vpp, award, row } = each;
  const { cause, kw, sinceMs } = row;
  return {
    origin: awardOrigin(award),
    kind: kindOf(row),
    cause,
    priority: priorityByPower(award.requestedKw, kw),
    vpp: vpp.vpp,
    sites: [],
    awardId: award.awardId,
    kw,
    sinceMs,
    title: alarmMessage(causeKey("award", cause), { kw: { kw }, award: { awardId: award.awardId } }),
    signs: [missingSign(each)],
  };
}

/** A store that ends before its award, found for long enough. */
interface EarlyEnd extends StoreEnd {
  readonly sinceMs: EpochMs;
}

/**
 * One finding per award for all stores that do not last until its end, named after the first to end. At a site that has an
 * alarm of its own the early end is one of its signs.
 */
function earlyEndFindings(vpp: VppFacts, known: readonly Finding[], found: FoundSince, nowMs: EpochMs): Finding[] {
  const origins = new Set(known.map(({ origin }) => origin));
  return vpp.awards.flatMap((award): Finding[] => {
    const ends = earlyEnds(award, found, nowMs);
    const ofSites = ends.filter(({ site }) => origins.has(siteOrigin(site)));
    const others = ends.filter(({ site }) => !origins.has(siteOrigin(site)));
    return [
      ...ofSites.map((end) => ({
        ...earlyEndFinding(vpp, award, [end], nowMs),
        origin: siteOrigin(end.site),
        priority: 2 as const,
      })),
      ...(others.length === 0 ? [] : [earlyEndFinding(vpp, award, others, nowMs)]),
    ];
  });
}

/** The stores that do not last, the first to end first. */
function earlyEnds({ awardId, endMs, storeEnds }: AwardFacts, found: FoundSince, nowMs: EpochMs): EarlyEnd[] {
  const leftMinutes = (endMs - nowMs) / MS_PER_MINUTE;
  return storeEnds.flatMap((end): EarlyEnd[] => {
    const sinceMs = found.since(`early:${awardId}:${end.site.name}`, {
      begins: end.minutes < leftMinutes,
      lasts: end.minutes < leftMinutes + LASTING_MINUTES,
    });
    return sinceMs === null || nowMs - sinceMs < FOUND_MS ? [] : [{ ...end, sinceMs }];
  });
}

function earlyEndFinding(
  { vpp }: VppFacts,
  { awardId, requestedKw, endMs }: AwardFacts,
  ends: readonly EarlyEnd[],
  nowMs: EpochMs,
): Finding {
  const [first, ...later] = ends;
  const what = requestedKw < 0 ? "empty_soon" : "full_soon";
  const left = { minutes: (endMs - nowMs) / MS_PER_MINUTE };
  const values = { left, award: { awardId }, site: first.site.name, minutes: { minutes: first.minutes } };
  return {
    origin: `early:${vpp}:${awardId}`,
    kind: "empty_soon",
    cause: null,
    priority: first.minutes * MS_PER_MINUTE <= PREPARATION_MS ? 2 : 3,
    vpp,
    sites: ends.map(({ site }) => site),
    awardId,
    kw: 0,
    sinceMs: Math.min(...ends.map(({ sinceMs }) => sinceMs)),
    title:
      later.length === 0
        ? alarmMessage(what, values)
        : alarmMessage(`${what}_in_common`, { ...values, count: { count: ends.length } }),
    signs: later.map(({ site, minutes }) => alarmMessage(`sign.${what}`, { site: site.name, minutes: { minutes } })),
  };
}

/** Delivered power outside the compliance band: a sign of the largest finding of the award, or a finding if there is none. */
function bandFindings(
  { vpp }: VppFacts,
  award: AwardFacts,
  known: readonly Finding[],
  found: FoundSince,
  nowMs: EpochMs,
): Finding[] {
  const { awardId, bandKw, deliveredKw, startMs } = award;
  if (bandKw === null || (bandKw[0] <= deliveredKw && deliveredKw <= bandKw[1])) return [];
  const [low, high] = [{ kw: bandKw[0] }, { kw: bandKw[1] }];
  const title = alarmMessage("outside_band", { award: { awardId }, kw: { kw: deliveredKw }, low, high });
  const [largest] = known.filter((finding) => finding.awardId === awardId).sort((a, b) => b.kw - a.kw);
  if (largest !== undefined) return [{ ...largest, signs: [title], kw: 0 }];
  const isCounted = BAND_FREE_MS <= nowMs - startMs;
  const sinceMs = found.since(`band:${awardId}`, { begins: isCounted, lasts: isCounted });
  if (sinceMs === null || nowMs - sinceMs < FOUND_MS) return [];
  const place = { origin: awardOrigin(award), cause: null, vpp, sites: [], awardId, kw: 0 };
  return [{ ...place, kind: "outside_band", priority: 2, sinceMs, title, signs: [] }];
}
