import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../../base/time.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { type ClockStep, clockStepsUntil } from "./clockChange.ts";
import { HostedWorld } from "./hostedWorld.ts";
import type { SessionDrill } from "./injects/inject.ts";
import { inputsUntil } from "./inputStep.ts";
import type { WorldInput } from "./journal/journalEntry.ts";
import type { RecordReader } from "./journal/journalRecord.ts";
import type { RecoveredCommand } from "./keyedCommand.ts";
import type { Checkpoint } from "./sessionState.ts";
import { SliceRunner } from "./sliceRunner.ts";
import type { WallClock } from "./wallClock.ts";

/** Retention of answers by Idempotency-Key: 24 hours of simulated time (docs/model/apis.md#idempotency). */
export const IDEMPOTENCY_RETENTION_MS = MS_PER_DAY;
/** Retention of commands without a key, which count against the hourly rate limits. */
const RATE_WINDOW_MS = MS_PER_HOUR;

/** Inputs and final instant of a replay. */
export interface ReplayTarget {
  /** Oldest first. */
  readonly inputs: Iterable<WorldInput>;
  /** Oldest first; absent: none. */
  readonly clockSteps?: readonly ClockStep[];
  readonly atMs: EpochMs;
}

/** A branch up to an instant, whose inputs are read back from the journal as the replay comes to them. */
export const targetAt = (
  { lastStep, lastClockStep, atMs }: Pick<Checkpoint, "lastStep" | "lastClockStep" | "atMs">,
  journal: RecordReader,
): ReplayTarget => ({
  inputs: inputsUntil(lastStep, journal),
  clockSteps: clockStepsUntil(lastClockStep),
  atMs,
});

interface ReplayOptions {
  readonly wallClock: WallClock;
  /** `null` or absent: none. */
  readonly drill?: SessionDrill | null;
  /** Whether the world has a record for the reads of the sandbox. Default: recorded. */
  readonly recording?: "recorded" | "not recorded";
  /** Start of the session's clock. Default: that of the scenario. */
  readonly openedMs?: EpochMs;
  /** Called, oldest first, with each command whose answer or count is still retained at the final instant. */
  readonly onRecovered?: (command: RecoveredCommand) => void;
  /** Whether to cancel. */
  readonly isCancelled?: () => boolean;
}

/**
 * Builds a world and applies every input at its instant, at full speed, in slices.
 *
 * @throws SessionRefusal if cancelled
 */
export async function replay(
  scenario: Scenario,
  { inputs, clockSteps = [], atMs }: ReplayTarget,
  {
    wallClock,
    drill = null,
    recording = "recorded",
    openedMs = scenario.world.startMs,
    onRecovered: recovered,
    isCancelled,
  }: ReplayOptions,
): Promise<HostedWorld> {
  const hosted = new HostedWorld(scenario, { drill, recording, openedMs });
  const runner = new SliceRunner(wallClock);
  // Events at the start of the scenario.
  hosted.runThrough(hosted.nowMs);
  let inputCount = 0;
  let nextClockStep = 0;
  const clockStepsAfter = async (count: number): Promise<void> => {
    for (; clockSteps[nextClockStep]?.afterInputs <= count; nextClockStep++) {
      await runner.runUntil(hosted, clockSteps[nextClockStep].atMs, { isCancelled });
      hosted.record?.clockChanged(clockSteps[nextClockStep]);
    }
  };
  for (const input of inputs) {
    await clockStepsAfter(inputCount++);
    await runner.runUntil(hosted, input.at_ms, { isCancelled });
    // Many inputs may have the same instant.
    await runner.pauseIfDue();
    const answer = hosted.applyInput(input);
    if (recovered === undefined || input.kind !== "request" || answer === null) continue;
    const { request, idempotency_key: idempotencyKey = null } = input;
    if (input.at_ms <= atMs - (idempotencyKey === null ? RATE_WINDOW_MS : IDEMPOTENCY_RETENTION_MS)) continue;
    recovered({ atMs: input.at_ms, request, idempotencyKey, answer });
  }
  await clockStepsAfter(inputCount);
  await runner.runUntil(hosted, atMs, { isCancelled });
  return hosted;
}
