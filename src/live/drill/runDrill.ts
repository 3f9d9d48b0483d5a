import { RunRecorder } from "../../accounting/recorders/runRecorder.ts";
import type { RunRecord } from "../../accounting/runRecord.ts";
import type { Answer } from "../../api/endpoints/route.ts";
import type { Language } from "../../base/language.ts";
import type { EpochMs } from "../../base/time.ts";
import type { AlarmJournalEntry } from "../session/alarms/alarmSchema.ts";
import { alarmJournal, alarmReader } from "../session/alarms/alarmView.ts";
import { HostedWorld } from "../session/hostedWorld.ts";
import type { DerivedChange, Inject, OwnerCall, StepOutcome } from "../session/injects/inject.ts";
import type { WorldInput } from "../session/journal/journalEntry.ts";
import type { Drill } from "./drill.ts";
import type { Attempt } from "./readAttempt.ts";

/** An input with its answer; `null` for inputs other than requests. */
export interface AnsweredInput {
  readonly input: WorldInput;
  readonly answer: Answer | null;
}

/** A drill that has been run to its end. */
export interface DrillRun {
  readonly record: RunRecord;
  readonly injects: readonly Inject[];
  readonly ownerCalls: readonly OwnerCall[];
  readonly derivedChanges: readonly DerivedChange[];
  readonly stepOutcomes: readonly StepOutcome[];
  readonly inputs: readonly AnsweredInput[];
  /** What happened to alarms, in order; empty without details. */
  readonly alarms: Readonly<Record<Language, readonly AlarmJournalEntry[]>>;
}

/** An action at an instant that no journal entry can express. */
export interface TimedAction {
  readonly atMs: EpochMs;
  readonly act: (hosted: HostedWorld) => void;
}

interface DrillRunOptions {
  /** In order of time. */
  readonly acts?: readonly TimedAction[];
  /** Whether the record has causes, rows and the chronology; the figures of a search do not need them. */
  readonly detail: "full" | "timelines";
}

/**
 * Runs a drill from the scenario's start to the drill's end. An attempt that stopped early continues without its
 * trainee: awards continue in any case.
 */
export function runDrill(
  { served, startMs }: Drill,
  { inputs, reachedMs }: Attempt,
  { acts = [], detail }: DrillRunOptions,
): DrillRun {
  const { scenario, drill = null } = served;
  const { world } = scenario;
  const isFull = detail === "full";
  const recorder = new RunRecorder(world, {
    intervalMs: scenario.report.intervalMs,
    timelines: true,
    chronology: isFull,
    causes: isFull,
    rows: isFull,
  });
  const hosted = new HostedWorld(scenario, {
    observer: recorder,
    drill,
    recording: isFull ? "recorded" : "not recorded",
    openedMs: startMs,
  });
  hosted.runThrough(world.startMs);
  const answered: AnsweredInput[] = [];
  let nextAct = 0;
  const actUntil = (atMs: EpochMs): void => {
    for (; nextAct < acts.length && acts[nextAct].atMs <= atMs; nextAct++) {
      hosted.runThrough(acts[nextAct].atMs);
      acts[nextAct].act(hosted);
    }
  };
  for (const input of inputs) {
    actUntil(input.at_ms);
    hosted.runThrough(input.at_ms);
    answered.push({ input, answer: hosted.applyInput(input) });
  }
  actUntil(world.endMs - 1);
  hosted.runThrough(world.endMs);
  const { injects, ownerCalls, derivedChanges, stepOutcomes } = hosted.board;
  const alarms = { en: alarmsUntil(hosted, reachedMs, "en"), ja: alarmsUntil(hosted, reachedMs, "ja") };
  return { record: recorder.finish(), injects, ownerCalls, derivedChanges, stepOutcomes, inputs: answered, alarms };
}

function alarmsUntil(hosted: HostedWorld, untilMs: EpochMs, language: Language): readonly AlarmJournalEntry[] {
  if (hosted.alarms === null) return [];
  const query = { to: untilMs, limit: Number.MAX_SAFE_INTEGER };
  return alarmJournal(hosted.alarms, query, alarmReader(hosted, language)).entries;
}
