import type { EpochMs } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import { balanceOf } from "../record/awardBalance.ts";
import { type CauseRow, causeRows } from "../record/causeRows.ts";
import type { SessionRecord } from "../record/sessionRecord.ts";
import { minutesToEnd, storeOf } from "../record/storageOutlook.ts";
import { DELIVERING_KW, PREPARATION_MS } from "./alarmRules.ts";

/** A site by its place in the scenario, and its name. */
export interface AlarmSite {
  readonly index: number;
  readonly name: string;
}

/** A state of a member that the VPP has noticed. */
interface NoticedMember {
  readonly site: AlarmSite;
  readonly noticedMs: EpochMs;
  /** Begin of the state. */
  readonly sinceMs: EpochMs;
}

/** A store that delivers, and ends. */
export interface StoreEnd {
  readonly site: AlarmSite;
  readonly minutes: number;
}

/** One award in force. */
export interface AwardFacts {
  readonly awardId: string;
  readonly requestedKw: number;
  readonly deliveredKw: number;
  readonly bandKw: readonly [number, number] | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly rows: readonly (Omit<CauseRow, "site"> & { readonly site: AlarmSite | null })[];
  readonly storeEnds: readonly StoreEnd[];
}

/** What a VPP has noticed. */
export interface VppFacts {
  readonly vpp: string;
  readonly outOfService: readonly NoticedMember[];
  readonly unreached: readonly NoticedMember[];
  /** Whether an award is in force, or starts soon. */
  readonly hasAward: boolean;
  readonly awards: readonly AwardFacts[];
}

/** The facts of alarms at the present instant. Changes nothing but what is noticed by now. */
export function alarmFacts(world: World, record: SessionRecord): readonly VppFacts[] {
  record.notices.noticeThrough(world.nowMs);
  return world.vpps.map((vpp) => vppFacts(world, record, vpp));
}

function vppFacts(world: World, record: SessionRecord, vpp: Vpp): VppFacts {
  const outOfService = noticedMembers(world, record, vpp, "service");
  const unreached = noticedMembers(world, record, vpp, "no_data");
  const isUnreached = new Set(unreached.map(({ site }) => site.index));
  const awards = vpp.runningInstructions.flatMap((instruction) => awardFacts(world, record, instruction, isUnreached));
  const hasAward = awards.length > 0 || (outOfService.length > 0 && startsSoon(vpp, world.nowMs));
  return { vpp: vpp.spec.name, outOfService, unreached, hasAward, awards };
}

const startsSoon = ({ pendingSchedules }: Vpp, nowMs: EpochMs): boolean =>
  pendingSchedules.overlapping(nowMs, nowMs + PREPARATION_MS + 1).length > 0;

function noticedMembers(
  { sites }: World,
  { notices }: SessionRecord,
  vpp: Vpp,
  subject: "service" | "no_data",
): NoticedMember[] {
  if (!notices.hasNoticed) return [];
  return vpp.members.flatMap(({ site }) => {
    const state = notices.stateOf(sites[site].spec.name, subject);
    return state === null ? [] : [{ site: siteOf(sites, site), noticedMs: state.noticedMs, sinceMs: state.sinceMs }];
  });
}

const siteOf = (sites: readonly Site[], index: number): AlarmSite => ({ index, name: sites[index].spec.name });

function awardFacts(
  world: World,
  record: SessionRecord,
  instruction: Instruction,
  isUnreached: ReadonlySet<number>,
): AwardFacts[] {
  const balance = balanceOf(world, record, instruction);
  if (balance === null) return [];
  const { requestedKw, deliveredKw, bandKw } = balance;
  const { awardId, startMs, endMs } = instruction;
  const rows = causeRows(record, balance, world.nowMs, "noticed").map((row) => ({
    ...row,
    site: row.site === null ? null : siteOf(world.sites, row.site),
  }));
  const storeEnds = instruction.hasDelta ? storeEndsOf(world, instruction, isUnreached) : [];
  return [{ awardId, requestedKw, deliveredKw, bandKw, startMs, endMs, rows, storeEnds }];
}

/** The stores of the members that deliver, the first to end first. */
function storeEndsOf(
  { sites, nowMs }: World,
  { table, membership, direction }: Instruction,
  isUnreached: ReadonlySet<number>,
): StoreEnd[] {
  if (table === null) return [];
  const ends: StoreEnd[] = [];
  membership.siteIndices.forEach((index, k) => {
    const site = sites[index];
    if (table.deltaTenths[k] === 0 || !site.isInService || isUnreached.has(index)) return;
    const found = storeOf(site, nowMs);
    if (found === null) return;
    if (Math.abs(site.kwAt(nowMs) - site.reportedBaselineKw(nowMs)) <= DELIVERING_KW) return;
    const minutes = minutesToEnd(found, direction < 0 ? "empty" : "full", nowMs);
    if (minutes !== null) ends.push({ site: siteOf(sites, index), minutes });
  });
  return ends.sort((a, b) => a.minutes - b.minutes || a.site.index - b.site.index);
}
