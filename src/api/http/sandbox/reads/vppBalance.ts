import { roundTo } from "../../../../base/rounding.ts";
import { type EpochMs, MS_PER_DAY } from "../../../../base/time.ts";
import type { World } from "../../../../engine/simulation/world.ts";
import type { Instruction } from "../../../../engine/vpp/instructions/instruction.ts";
import type { Vpp } from "../../../../engine/vpp/vpp.ts";
import type { HostedWorld } from "../../../../live/session/hostedWorld.ts";
import { type Balance, balanceOf } from "../../../../live/session/record/awardBalance.ts";
import { type CauseRow, causeRows, uncoveredSinceMs } from "../../../../live/session/record/causeRows.ts";
import type { ReaderView } from "../../../../live/session/record/hiddenShortfall.ts";
import { requestedKwOf } from "../../../../live/session/record/receivedAwards.ts";
import type { SessionRecord } from "../../../../live/session/record/sessionRecord.ts";
import type { AwardBalance, CausePower, NextStep, VppBalance } from "../../../../live/session/sandboxReads.ts";
import type { AwardNames } from "../../../../report/awardNames.ts";
import { wireTime, wireTimeOrNull } from "../../../endpoints/shared/wireTime.ts";

/** Period ahead in which awards are listed that the VPP has not received. */
const KNOWN_AHEAD_MS = 2 * MS_PER_DAY;
/** Maximum number of next steps in an answer. */
const NEXT_MAX = 20;

/** `GET /sandbox/vpps/{name}/balance` */
export function vppBalance({ world }: HostedWorld, record: SessionRecord, vpp: Vpp, view: ReaderView): VppBalance {
  record.notices.noticeThrough(world.nowMs);
  const awards: AwardBalance[] = [];
  for (const instruction of vpp.runningInstructions) {
    const balance = balanceOf(world, record, instruction);
    if (balance !== null) awards.push(awardBalance(world, record, instruction, balance, view));
  }
  awards.sort((a, b) => (a.starts_at < b.starts_at ? -1 : a.starts_at > b.starts_at ? 1 : 0));
  return { at: wireTime(world.nowMs), vpp: vpp.spec.name, awards, next: nextSteps(world, vpp, view, record.names) };
}

function awardBalance(
  { sites, nowMs }: World,
  record: SessionRecord,
  instruction: Instruction,
  balance: Balance,
  view: ReaderView,
): AwardBalance {
  const rows = causeRows(record, balance, nowMs, view);
  const sinceMs = uncoveredSinceMs(rows);
  return {
    award_id: instruction.awardId,
    name: record.names.nameOf(instruction.awardId),
    sku: instruction.sku,
    schedule_id: instruction.kind === "schedule" ? instruction.scheduleId : null,
    starts_at: wireTime(instruction.startMs),
    ends_at: wireTime(instruction.endMs),
    requested_kw: kw(balance.requestedKw),
    dispatched_kw: kw(balance.dispatchedKw),
    delivered_kw: kw(balance.deliveredKw),
    uncovered_kw: kw(balance.uncoveredKw),
    not_delivered_kw: kw(balance.notDeliveredKw),
    over_kw: kw(balance.overKw),
    band_low_kw: balance.bandKw === null ? null : kw(balance.bandKw[0]),
    band_high_kw: balance.bandKw === null ? null : kw(balance.bandKw[1]),
    uncovered_since: wireTimeOrNull(sinceMs),
    causes: rows.map(causePower(sites)),
  };
}

const causePower =
  (sites: World["sites"]) =>
  ({ stage, cause, site, kw: missingKw, sinceMs }: CauseRow): CausePower => ({
    stage,
    cause,
    site: site === null ? null : sites[site].spec.name,
    kw: missingKw,
    since: wireTime(sinceMs),
  });

type TimedStep = Omit<NextStep, "name"> & { readonly atMs: EpochMs };

/**
 * Ends of running awards, starts of registered awards, and the end of the scenario. With the view `everything`, also
 * the awards that the VPP will receive.
 */
function nextSteps(world: World, vpp: Vpp, view: ReaderView, names: AwardNames): NextStep[] {
  const { spec } = world;
  if (spec.endMs <= world.nowMs) return [];
  const steps = [
    ...vpp.runningInstructions.map((running) => awardStep("award_end", running.endMs, running)),
    ...[...vpp.pendingSchedules].map((pending) => awardStep("award_start", pending.startMs, pending)),
    ...(view === "everything" ? awardsToCome(world, vpp) : []),
  ].filter(({ what, atMs }) => atMs < spec.endMs || (what === "award_end" && atMs === spec.endMs));
  steps.sort((a, b) => a.atMs - b.atMs);
  const next: NextStep[] = steps.slice(0, NEXT_MAX).map(({ atMs: _, ...rest }) => ({
    ...rest,
    name: rest.award_id === null ? null : names.nameOf(rest.award_id),
  }));
  return [
    ...next,
    { at: wireTime(spec.endMs), what: "scenario_end", award_id: null, name: null, sku: null, requested_kw: null },
  ];
}

const awardStep = (what: "award_start" | "award_end", atMs: EpochMs, instruction: Instruction): TimedStep => ({
  atMs,
  at: wireTime(atMs),
  what,
  award_id: instruction.awardId,
  sku: instruction.sku,
  requested_kw: requestedKwOf(instruction),
});

/** Registrations and starts of the scenario's awards that the VPP receives in the next two days. */
function awardsToCome({ spec, nowMs }: World, vpp: Vpp): TimedStep[] {
  const steps: TimedStep[] = [];
  for (const award of spec.awards) {
    if (award.vpp !== vpp.index || award.registeredMs <= nowMs || nowMs + KNOWN_AHEAD_MS < award.registeredMs) continue;
    const { awardId: award_id, sku, deltaKw, fcrResponseKw, registeredMs, startMs } = award;
    const rest = { award_id, sku, requested_kw: deltaKw ?? fcrResponseKw };
    steps.push({ atMs: registeredMs, at: wireTime(registeredMs), what: "award_registration", ...rest });
    steps.push({ atMs: startMs, at: wireTime(startMs), what: "award_start", ...rest });
  }
  return steps;
}

const kw = (value: number): number => roundTo(value, 3);
