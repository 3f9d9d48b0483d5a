import type { LocalText } from "../../base/language.ts";
import { ceilToMinute, type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { AwardSpec } from "../../engine/vpp/instructions/instructionSpec.ts";
import { type Merit, searchBox } from "../../study/search/searchBox.ts";
import { HostedWorld } from "../session/hostedWorld.ts";
import type { Drill } from "./drill.ts";
import { deliveryFiguresOf, noticeMs, yieldToEventLoop } from "./measureAttempt.ts";
import { type Attempt, withoutTrainee } from "./readAttempt.ts";
import { type DrillRun, runDrill, type TimedAction } from "./runDrill.ts";

/** The result of the search (docs/model/drills.md#best). */
export interface BestPossible {
  readonly run: DrillRun;
  /** Runs of the search. */
  readonly runs: number;
  /** Actions of the best run, in order of time. */
  readonly acts: readonly BestAction[];
}

/** Largest weight of the search. The API accepts larger ones, but only the ratios matter. */
const WEIGHT_MAX = 1_000;
/** Time from a command to the earliest start of a schedule. */
const LEAD_MS = MS_PER_MINUTE;
/** Shortest remainder of an award that gets a schedule of its own. */
const REMAINDER_MIN_MS = 2 * MS_PER_MINUTE;

/** An instant at which the search may set weights and dispatch again, and the members whose weights it may change. */
interface Decision {
  readonly atMs: EpochMs;
  readonly members: readonly { readonly vpp: number; readonly site: number; readonly writtenWeight: number }[];
}

/**
 * Searches for the least penalty (where the promise has none: the least shortfall) with the study engine's CMA-ES: over
 * the weights of all members at the start of the drill and at the notice of each fault, each with or without a new dispatch of the
 * awards in force, and with a call to the owner at the earliest notice. It knows the faults in advance.
 *
 * @param onRun  called after each run of the search
 */
export async function findBest(
  drill: Drill,
  attempt: Attempt,
  nothing: DrillRun,
  onRun: () => void,
): Promise<BestPossible> {
  const { world } = drill.served.scenario;
  const base = withoutTrainee(attempt);
  const faults = noticedFaults(drill, nothing);
  const calls = drill.may.includes("owner_calls") ? faults : [];
  const decisions = decisionsOf(drill, faults);
  const dimension = decisions.reduce((sum, { members }) => sum + members.length + 1, 0);
  let best: { readonly value: number; readonly run: DrillRun; readonly plan: Plan } | null = null;
  let runs = 0;
  const evaluate = (point: ArrayLike<number>): number => {
    const plan = planOf(drill, decisions, point, calls);
    const run = runDrill(drill, base, { acts: plan.acts, detail: "timelines" });
    const { shortfallKwh, shortfallJpy } = deliveryFiguresOf(drill, nothing, run);
    const value = shortfallJpy + 1e-3 * shortfallKwh;
    runs++;
    onRun();
    if (best === null || value < best.value) best = { value, run, plan };
    return value;
  };
  const starts = startPoints(decisions);
  await searchBox(
    {
      dimension,
      budget: Math.max(drill.searchBudget, starts.length),
      stream: new RandomStreams(world.seed).getStream("drill best", drill.name),
      startPoints: starts,
    },
    async (points) => {
      const merits: Merit[] = [];
      for (const point of points) {
        merits.push({ violation: 0, value: evaluate(point) });
        await yieldToEventLoop();
      }
      return merits;
    },
  );
  const found = best as { readonly plan: Plan } | null;
  const plan = found?.plan ?? { acts: [], shown: [] };
  const run = runDrill(drill, base, { acts: plan.acts, detail: "full" });
  return { run, runs, acts: plan.shown };
}

/** A fault in the period of the drill, by an inject or by the scenario. */
interface NoticedFault {
  readonly site: string;
  /** The first evaluation after its beginning. */
  readonly noticedMs: EpochMs;
}

/** The faults of the run without a trainee, in order of notice. */
export function noticedFaults({ served, startMs, endMs }: Drill, { injects }: DrillRun): NoticedFault[] {
  const { events, sites } = served.scenario.world;
  const begun = [
    ...injects.flatMap(({ beganMs, spec }) => (beganMs === null ? [] : [{ beganMs, site: spec.site }])),
    ...events.flatMap((event) => ("untilMs" in event ? [{ beganMs: event.atMs, site: sites[event.site].name }] : [])),
  ];
  return begun
    .map(({ beganMs, site }) => ({ site, noticedMs: noticeMs(beganMs) }))
    .filter(({ noticedMs }) => startMs < noticedMs && noticedMs < endMs)
    .sort((a, b) => a.noticedMs - b.noticedMs || (a.site < b.site ? -1 : 1));
}

/** The start of the drill and the notices of faults, with the members and their weights at the start. */
function decisionsOf(drill: Drill, faults: readonly NoticedFault[]): Decision[] {
  const members = drill.may.includes("weights") ? membersAtStart(drill) : [];
  const notices = [...new Set(faults.map(({ noticedMs }) => noticedMs))];
  return [drill.startMs, ...notices.slice(0, DECISIONS_MAX - 1)].map((atMs) => ({ atMs, members }));
}

function membersAtStart({ served: { scenario, drill }, startMs }: Drill): Decision["members"] {
  const hosted = new HostedWorld(scenario, { drill: drill ?? null, recording: "not recorded" });
  hosted.runThrough(startMs);
  return hosted.world.vpps.flatMap(({ members }, vpp) =>
    members.map(({ site, allocationWeight }) => ({ vpp, site, writtenWeight: allocationWeight })),
  );
}

/** More decisions would give the search too many parameters for its budget. */
const DECISIONS_MAX = 5;

/** The scenario's weights without and with new dispatches, and equal weights with new dispatches. */
function startPoints(decisions: readonly Decision[]): number[][] {
  const point = (dispatches: number, shareOf: (writtenWeight: number) => number): number[] =>
    decisions.flatMap(({ members }) => [dispatches, ...members.map(({ writtenWeight }) => shareOf(writtenWeight))]);
  const written = (weight: number): number => Math.min(1, weight / WEIGHT_MAX);
  return [point(0, written), point(1, written), point(1, () => 0.5)];
}

interface Plan {
  readonly acts: readonly TimedAction[];
  /** The same actions for the debriefing. */
  readonly shown: readonly BestAction[];
}

function planOf(
  drill: Drill,
  decisions: readonly Decision[],
  point: ArrayLike<number>,
  calls: readonly NoticedFault[],
): Plan {
  const acts: TimedAction[] = [];
  const shown: BestAction[] = [];
  const { world } = drill.served.scenario;
  let at = 0;
  for (const { atMs, members } of decisions) {
    const dispatches = point[at++] > 0.5 && drill.may.includes("schedules");
    const weights = members.map((member, k) => ({ ...member, weight: Math.round(WEIGHT_MAX * point[at + k]) }));
    at += members.length;
    const changed = weights.filter(({ weight, writtenWeight }) => weight !== writtenWeight);
    const resumeMs = Math.max(atMs + LEAD_MS, ceilToMinute(atMs + LEAD_MS));
    const awards = dispatches ? awardsAt(world, resumeMs) : [];
    acts.push({
      atMs,
      act: (hosted) => {
        for (const { vpp, site, weight } of weights) setWeight(hosted, vpp, site, weight);
        for (const award of awards) registerRemainder(hosted, award, resumeMs);
      },
    });
    const names = changed.map(({ site, weight }) => `${world.sites[site].name} ${weight}`);
    if (names.length > 0) shown.push(weightsAction(atMs, names.join(", ")));
    for (const { awardId } of awards) shown.push(dispatchAction(atMs, awardId));
  }
  for (const { noticedMs: atMs, site } of calls) {
    const { delayMs } = drill.ownerOf(site);
    acts.push({
      atMs,
      act: (hosted) => void hosted.applyInput({ kind: "owner_call", at_ms: atMs, site, delay_ms: delayMs }),
    });
    shown.push(ownerCallAct(atMs, site));
  }
  const byTime = (a: { readonly atMs: EpochMs }, b: { readonly atMs: EpochMs }): number => a.atMs - b.atMs;
  return { acts: acts.sort(byTime), shown: shown.sort(byTime) };
}

function setWeight({ world }: HostedWorld, vpp: number, site: number, allocationWeight: number): void {
  world.runCommand(() => world.memberships.update(world.vpps[vpp], site, { allocationWeight }));
}

/** Awards of the scenario that are in force at an instant and for some time after it. */
const awardsAt = ({ awards }: WorldSpec, atMs: EpochMs): AwardSpec[] =>
  awards.filter(({ startMs, endMs }) => startMs <= atMs && atMs + REMAINDER_MIN_MS <= endMs);

/** Registers the rest of an award as a new schedule, as a trainee would: it takes the rest of the old one's period. */
function registerRemainder({ world }: HostedWorld, award: AwardSpec, startMs: EpochMs): void {
  world.runCommand(() => world.orderIntake.registerSchedule({ ...award, startMs, registeredMs: world.nowMs }, null));
}

/** An action of the best run at an instant. */
interface BestAction {
  readonly atMs: EpochMs;
  readonly kind: "weights" | "dispatch" | "owner_call";
  readonly text: LocalText;
}

/** @param list  such as `battery-1 400, battery-2 1000` */
const weightsAction = (atMs: EpochMs, list: string): BestAction => ({
  atMs,
  kind: "weights",
  text: { en: `weights: ${list}`, ja: `配分比：${list}` },
});

const dispatchAction = (atMs: EpochMs, awardId: string): BestAction => ({
  atMs,
  kind: "dispatch",
  text: { en: `dispatch the rest of ${awardId} again`, ja: `${awardId} の残りを再指令` },
});

export const ownerCallText = (site: string): LocalText => ({
  en: `call the owner of ${site}`,
  ja: `${site} の所有者に連絡`,
});

const ownerCallAct = (atMs: EpochMs, site: string): BestAction => ({
  atMs,
  kind: "owner_call",
  text: ownerCallText(site),
});
