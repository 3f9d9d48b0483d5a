import type { AwardBalance, Cause, CausePower, MemberView, VppBalance } from "../../../api/client/sandboxTypes.ts";
import type { ConnectionState } from "../../data/connection.ts";
import type { AlarmPriority } from "../../parts/AlarmBadge.tsx";
import { knownKey } from "../../texts/catalogue.ts";
import { type MessageText, message } from "../../texts/messageText.ts";
import type { AlarmCondition, AlarmRoot } from "./alarm.ts";

export interface AlarmSources {
  /** Simulated instant of the answers, in epoch milliseconds. */
  readonly atMs: number;
  readonly vpps: readonly { readonly balance: VppBalance; readonly members: readonly MemberView[] }[];
  readonly connection: ConnectionState;
  /** Simulated seconds by which the world is behind its clock. */
  readonly lagSeconds: number;
  /** Ids of alarms whose condition holds: they end at half the limit at which they begin. */
  readonly activeIds: ReadonlySet<string>;
}

const MS_PER_MINUTE = 60_000;
/** Power below which nothing is reported, in kW, and as a part of the request. */
const LIMIT_KW = 1;
const LIMIT_FRACTION = 0.01;
/** Part of a request whose absence is urgent. */
const URGENT_FRACTION = 0.1;
/** Above this number of sites a common cause is one alarm. */
const COMMON_CAUSE_SITES = 3;
/** An outage outside awards is to be acted on if an award starts within this time, an early end if a site has no more. */
const PREPARATION_MS = 60 * MS_PER_MINUTE;

interface CauseRule {
  readonly root: AlarmRoot;
  /** Time for which dispatched power must be missing, so that the start of an award raises no alarm. */
  readonly delayMs: number;
  readonly isCommon?: boolean;
}

const CAUSE_RULES: Readonly<Partial<Record<Cause, CauseRule>>> = {
  // An outage shows as missing power before the next whole minute, when it is noticed.
  out_of_service: { root: "out_of_service", delayMs: MS_PER_MINUTE },
  incompatible: { root: "limited", delayMs: 0, isCommon: true },
  refused: { root: "refused", delayMs: 0 },
  delivery_failed: { root: "link", delayMs: 0 },
  baseline_missing: { root: "limited", delayMs: 0 },
  direct_control: { root: "limited", delayMs: 0 },
  power_limit: { root: "limited", delayMs: 0, isCommon: true },
  energy_limit: { root: "energy", delayMs: 0, isCommon: true },
  output_control: { root: "limited", delayMs: 0, isCommon: true },
  other_award: { root: "limited", delayMs: 0, isCommon: true },
  ramp: { root: "late", delayMs: 3 * MS_PER_MINUTE, isCommon: true },
  weather: { root: "below_set_point", delayMs: MS_PER_MINUTE, isCommon: true },
  load_deviation: { root: "below_set_point", delayMs: MS_PER_MINUTE, isCommon: true },
  no_member: { root: "uncovered", delayMs: 0 },
  // The next evaluation finds out why.
  not_yet_known: { root: "uncovered", delayMs: MS_PER_MINUTE },
};

/** Of a cause that is not known: it raises an alarm with its power alone. */
const OTHER_CAUSE: CauseRule = { root: "below_set_point", delayMs: MS_PER_MINUTE, isCommon: true };

const ruleOf = (cause: Cause): CauseRule => CAUSE_RULES[cause] ?? OTHER_CAUSE;

/** The worst root of a site names its alarm; the others become signs. */
const ROOT_ORDER: readonly AlarmRoot[] = [
  "out_of_service",
  "link",
  "energy",
  "refused",
  "limited",
  "below_set_point",
  "empty_soon",
  "late",
];

/** One finding about one origin, before findings of one origin are merged. */
interface Finding {
  readonly id: string;
  readonly root: AlarmRoot;
  readonly priority: AlarmPriority;
  readonly title: MessageText;
  readonly signs: readonly MessageText[];
  readonly vpp: string;
  readonly site: string | null;
  /** All sites that it concerns, where they are more than `site`. */
  readonly sites?: readonly string[];
  readonly awardId: string | null;
  /** Missing power, for the order of signs. */
  readonly kw: number;
  readonly sinceMs: number | null;
}

/** All abnormal conditions, most urgent first; one per origin. */
export function alarmConditions(sources: AlarmSources): readonly AlarmCondition[] {
  const findings = sources.vpps.flatMap(({ balance, members }) => {
    const found = [
      ...members.flatMap((member) => memberFindings(sources, balance, member)),
      ...balance.awards.flatMap((award) => awardFindings(sources, balance.vpp, award)),
    ];
    const foundIds = new Set(found.map(({ id }) => id));
    const early = balance.awards.flatMap((award) => earlyEndFindings(sources, balance.vpp, award, members, foundIds));
    return [...found, ...early];
  });
  const byId = new Map<string, Finding[]>();
  for (const finding of findings) byId.set(finding.id, [...(byId.get(finding.id) ?? []), finding]);
  const conditions = [...connectionConditions(sources), ...[...byId.values()].map(mergeFindings)];
  return conditions.sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
}

function connectionConditions({ connection, lagSeconds }: AlarmSources): AlarmCondition[] {
  const place = { signs: [], vpp: null, site: null, sites: [], awardIds: [], sinceMs: null };
  if (connection === "disconnected")
    return [{ id: "connection", root: "connection", priority: 1, text: message("alarms.connection"), ...place }];
  if (connection === "lagging") {
    const text = message("alarms.lagging", { seconds: { count: Math.round(lagSeconds) } });
    return [{ id: "lagging", root: "lagging", priority: 3, text, ...place }];
  }
  return [];
}

/** The finding of the worst root, with the titles of the others among its signs. */
function mergeFindings(findings: readonly Finding[]): AlarmCondition {
  const rank = (finding: Finding) => ROOT_ORDER.indexOf(finding.root);
  const ordered = [...findings].sort((a, b) => rank(a) - rank(b) || b.kw - a.kw);
  const [worst] = ordered;
  const others = ordered.filter(({ root }) => root !== worst.root).map(({ title }) => title);
  return {
    id: worst.id,
    root: worst.root,
    priority: Math.min(...findings.map(({ priority }) => priority)) as AlarmPriority,
    text: worst.title,
    signs: distinct([...ordered.flatMap(({ signs }) => signs), ...others]),
    vpp: worst.vpp,
    site: worst.site,
    sites: distinct(findings.flatMap(({ site, sites }) => sites ?? (site === null ? [] : [site]))),
    awardIds: distinct(ordered.flatMap(({ awardId }) => (awardId === null ? [] : [awardId]))),
    sinceMs: worst.sinceMs,
  };
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const isOutOfService = ({ status }: Pick<MemberView, "status">): boolean => /^(9|out_of_service)$/.test(status);

function memberFindings({ atMs }: AlarmSources, balance: VppBalance, member: MemberView): Finding[] {
  const { site } = member;
  const sinceMs = msOrNull(member.status_since);
  const place = { id: siteId(site), vpp: balance.vpp, site, awardId: null, kw: 0, sinceMs: null };
  const findings: Finding[] = [];
  if (isOutOfService(member)) {
    const priority = balance.awards.length > 0 || startsSoon(balance, atMs) ? 2 : 3;
    findings.push({
      ...place,
      sinceMs,
      root: "out_of_service",
      priority,
      title: siteTitle("alarms.out", site),
      signs: [],
    });
  }
  if (!member.is_reachable) {
    const signs = [message("signs.held", { at: { at: member.data_at } })];
    findings.push({
      ...place,
      sinceMs: Date.parse(member.data_at),
      root: "link",
      priority: 3,
      title: siteTitle("alarms.link", site),
      signs,
    });
  }
  return findings;
}

const siteId = (site: string): string => `site:${site}`;

const msOrNull = (at: string | null): number | null => (at === null ? null : Date.parse(at));

const siteTitle = (key: MessageText["key"], site: string): MessageText => message(key, { site });

const startsSoon = ({ next }: VppBalance, atMs: number): boolean =>
  next.some(({ what, at }) => what === "award_start" && Date.parse(at) - atMs <= PREPARATION_MS);

/** A store that runs empty, or full, before the award ends. */
interface EarlyEnd {
  readonly site: string;
  readonly minutes: number;
}

/**
 * One finding for all stores that do not last until the end of an award, named after the first to end. At a site that has
 * an alarm of its own the early end is one of its signs.
 */
function earlyEndFindings(
  { atMs }: AlarmSources,
  vpp: string,
  award: AwardBalance,
  members: readonly MemberView[],
  foundIds: ReadonlySet<string>,
): Finding[] {
  const { award_id: awardId, requested_kw: requestedKw } = award;
  const leftMinutes = (Date.parse(award.ends_at) - atMs) / MS_PER_MINUTE;
  const what = requestedKw < 0 ? "empty_soon" : "full_soon";
  const values = { left: { minutes: leftMinutes }, award: awardId };
  const titleOf = ({ site, minutes }: EarlyEnd) => message(`alarms.${what}`, { ...values, site, minutes: { minutes } });
  const place = { root: "empty_soon", vpp, awardId, kw: 0, sinceMs: null } as const;
  const ends = earlyEnds(members, requestedKw, leftMinutes);
  const consequences = ends.filter(({ site }) => foundIds.has(siteId(site)));
  const [first, ...later] = ends.filter(({ site }) => !foundIds.has(siteId(site)));
  const findings = consequences.map((end): Finding => {
    return { ...place, id: siteId(end.site), site: end.site, priority: 2, title: titleOf(end), signs: [] };
  });
  if (first === undefined) return findings;
  const count = { count: later.length + 1 };
  const common = message(`alarms.${what}_in_common`, {
    ...values,
    count,
    site: first.site,
    minutes: { minutes: first.minutes },
  });
  const group: Finding = {
    ...place,
    id: `early:${vpp}:${awardId}`,
    site: first.site,
    sites: [first, ...later].map(({ site }) => site),
    priority: first.minutes * MS_PER_MINUTE <= PREPARATION_MS ? 2 : 3,
    title: later.length === 0 ? titleOf(first) : common,
    signs: later.map(({ site, minutes }) => message(`signs.${what}`, { site, minutes: { minutes } })),
  };
  return [...findings, group];
}

/** The members whose store does not last, the first to end first. */
function earlyEnds(members: readonly MemberView[], requestedKw: number, leftMinutes: number): EarlyEnd[] {
  return members
    .flatMap(({ site, set_point_kw, delivered_kw, minutes_to_empty, minutes_to_full }) => {
      const minutes = requestedKw < 0 ? minutes_to_empty : minutes_to_full;
      const serves = set_point_kw !== null && delivered_kw !== null && LIMIT_KW < Math.abs(delivered_kw);
      return minutes !== null && serves && minutes < leftMinutes ? [{ site, minutes }] : [];
    })
    .sort((a, b) => a.minutes - b.minutes || (a.site < b.site ? -1 : 1));
}

function awardFindings(sources: AlarmSources, vpp: string, award: AwardBalance): Finding[] {
  const causes = award.causes.filter((cause) => isReportable(sources, award, cause));
  const groups = new Map<string, CausePower[]>();
  for (const cause of causes) groups.set(cause.cause, [...(groups.get(cause.cause) ?? []), cause]);
  const findings = [...groups.values()].flatMap((group) => groupFindings(vpp, award, group));
  return [...findings, ...bandFindings(sources, vpp, award, findings)];
}

function isReportable({ atMs, activeIds }: AlarmSources, award: AwardBalance, power: CausePower): boolean {
  const { cause, stage, kw, since, site } = power;
  const delayMs = stage === "allocation" ? 0 : ruleOf(cause).delayMs;
  const ids = [commonId(award, cause), awardIdOf(award), ...(site === null ? [] : [siteId(site)])];
  const isActive = ids.some((id) => activeIds.has(id));
  const limitKw = Math.max(LIMIT_KW, LIMIT_FRACTION * Math.abs(award.requested_kw)) * (isActive ? 0.5 : 1);
  const hasLasted = since === null || delayMs <= atMs - Date.parse(since);
  return limitKw <= kw && hasLasted;
}

const commonId = ({ award_id }: AwardBalance, cause: Cause): string => `cause:${award_id}:${cause}`;
const awardIdOf = ({ award_id }: AwardBalance): string => `award:${award_id}`;

/** Findings of one cause in one award: one per site, or one for all if the cause is common to several sites. */
function groupFindings(vpp: string, award: AwardBalance, group: readonly CausePower[]): Finding[] {
  const [{ cause }] = group;
  const atSites = group.filter(({ site }) => site !== null);
  const elsewhere = group.filter(({ site }) => site === null);
  const siteCount = new Set(atSites.map(({ site }) => site)).size;
  if (ruleOf(cause).isCommon === true && COMMON_CAUSE_SITES < siteCount)
    return [commonFinding(vpp, award, group, siteCount)];
  return [
    ...atSites.map((power) => siteFinding(vpp, award, power)),
    ...elsewhere.map((power) => unplacedFinding(vpp, award, power)),
  ];
}

function priorityOf(award: AwardBalance, cause: Cause, kw: number): AlarmPriority {
  const { root } = ruleOf(cause);
  if (root === "late") return 3;
  if (root === "out_of_service") return 1;
  return URGENT_FRACTION * Math.abs(award.requested_kw) < kw ? 1 : 2;
}

const missingSign = ({ stage, kw }: CausePower, { award_id: award }: AwardBalance): MessageText =>
  message(stage === "allocation" ? "signs.uncovered" : "signs.not_delivered", { kw: { kw }, award });

function siteFinding(vpp: string, award: AwardBalance, power: CausePower): Finding {
  const { cause, kw } = power;
  const site = power.site ?? "";
  const { root } = ruleOf(cause);
  return {
    id: siteId(site),
    root,
    priority: priorityOf(award, cause, kw),
    title: causeTitle(power),
    signs: [missingSign(power, award)],
    vpp,
    site,
    awardId: award.award_id,
    kw,
    sinceMs: msOrNull(power.since),
  };
}

function causeTitle({ cause, site, kw }: CausePower): MessageText {
  const { root } = ruleOf(cause);
  const values = { site: site ?? "", kw: { kw } };
  if (root === "out_of_service") return siteTitle("alarms.out", values.site);
  if (root === "link") return siteTitle("alarms.link", values.site);
  return message(knownKey(`causes_at_site.${cause}`) ?? "causes_at_site.other", values);
}

function commonFinding(vpp: string, award: AwardBalance, group: readonly CausePower[], siteCount: number): Finding {
  const [{ cause }] = group;
  const kw = group.reduce((sum, power) => sum + power.kw, 0);
  const largest = [...group].sort((a, b) => b.kw - a.kw);
  return {
    id: commonId(award, cause),
    root: ruleOf(cause).root,
    priority: priorityOf(award, cause, kw),
    title: message(knownKey(`causes_in_common.${cause}`) ?? "causes_in_common.other", {
      count: { count: siteCount },
      kw: { kw },
      award: award.award_id,
    }),
    signs: largest.map((power) => message("signs.site_kw", { site: power.site ?? "", kw: { kw: power.kw } })),
    vpp,
    site: null,
    sites: largest.flatMap(({ site }) => (site === null ? [] : [site])),
    awardId: award.award_id,
    kw,
    sinceMs: group.every(({ since }) => since === null)
      ? null
      : Math.min(...group.map(({ since }) => msOrNull(since) ?? Number.POSITIVE_INFINITY)),
  };
}

/** Missing power that belongs to no single site, as where no member can serve the product. */
function unplacedFinding(vpp: string, award: AwardBalance, power: CausePower): Finding {
  const { kw, cause } = power;
  return {
    id: awardIdOf(award),
    root: "uncovered",
    priority: priorityOf(award, cause, kw),
    title: message("alarms.uncovered", { kw: { kw }, award: award.award_id }),
    signs: [message(knownKey(`cause.${cause}`) ?? "cause.other")],
    vpp,
    site: null,
    awardId: award.award_id,
    kw,
    sinceMs: msOrNull(power.since),
  };
}

/** Delivered power outside the compliance band: a sign of the largest contributor, or an alarm if there is none. */
function bandFindings(sources: AlarmSources, vpp: string, award: AwardBalance, found: readonly Finding[]): Finding[] {
  const { band_low_kw: low, band_high_kw: high, delivered_kw: deliveredKw, award_id } = award;
  if (low === null || high === null || (low <= deliveredKw && deliveredKw <= high)) return [];
  const values = { award: award_id, kw: { kw: deliveredKw }, low: { kw: low }, high: { kw: high } };
  const sign = message("signs.outside_band", values);
  const [largest] = [...found].sort((a, b) => b.kw - a.kw);
  if (largest !== undefined) return [{ ...largest, signs: [sign], kw: 0 }];
  const hasLasted = ruleOf("ramp").delayMs <= sources.atMs - Date.parse(award.starts_at);
  if (!hasLasted) return [];
  const title = message("alarms.outside_band", values);
  const place = { vpp, site: null, awardId: award_id, kw: 0, sinceMs: null };
  return [{ ...place, id: awardIdOf(award), root: "outside_band", priority: 2, title, signs: [] }];
}
