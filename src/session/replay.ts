import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../base/time.ts";
import type { Answer, ApiRequest } from "../endpoints/route.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { composeObservers } from "../simulation/composeObservers.ts";
import { HostedWorld } from "./hostedWorld.ts";
import type { WorldInput } from "./journal/journalEntry.ts";
import { ListenerRelay } from "./listenerRelay.ts";
import type { SessionListener } from "./sessionListener.ts";
import { SliceRunner } from "./sliceRunner.ts";
import type { WallClock } from "./wallClock.ts";

/** How long the answer to an Idempotency-Key is kept: 24 hours of simulated time (VPP API "Limits"). */
export const IDEMPOTENCY_RETENTION_MS = MS_PER_DAY;
/** How long a command without one counts: against the hourly budgets. */
const RATE_WINDOW_MS = MS_PER_HOUR;

/** A command that came out of the journal, and the answer that it was given. */
export interface RecoveredCommand {
  readonly atMs: EpochMs;
  readonly request: ApiRequest;
  /** `null`: it had none. */
  readonly idempotencyKey: string | null;
  readonly answer: Answer;
}

/** A world brought to an instant, and what it tells from now on. */
export interface ReplayedWorld {
  readonly hosted: HostedWorld;
  readonly relay: ListenerRelay;
}

/** Where a world is to be brought. */
export interface ReplayTarget {
  /** Oldest first. */
  readonly inputs: Iterable<WorldInput>;
  readonly atMs: EpochMs;
}

export interface ReplayOptions {
  readonly wallClock: WallClock;
  readonly listeners: readonly SessionListener[];
  /** Told, oldest first, of the commands that servers still keep something of at the destination. */
  readonly onRecovered?: (command: RecoveredCommand) => void;
  /** Whether to give up. */
  readonly isCancelled?: () => boolean;
}

/**
 * Builds a world and gives it every input at its instant, at batch speed, in slices.
 *
 * @throws SessionRefusal when it was called off
 */
export async function replay(
  scenario: Scenario,
  { inputs, atMs }: ReplayTarget,
  { wallClock: wall, listeners, onRecovered: recovered, isCancelled: calledOff }: ReplayOptions,
): Promise<ReplayedWorld> {
  const relay = new ListenerRelay(listeners);
  const hosted = new HostedWorld(scenario, composeObservers([relay.observer]));
  const runner = new SliceRunner(wall);
  // What is due at the very start.
  hosted.runThrough(hosted.nowMs);
  for (const input of inputs) {
    await runner.runUntil(hosted, input.at_ms, { isCancelled: calledOff });
    const answer = hosted.applyInput(input);
    if (recovered === undefined || input.kind !== "request" || answer === null) continue;
    const { request, idempotency_key: idempotencyKey = null } = input;
    if (input.at_ms <= atMs - (idempotencyKey === null ? RATE_WINDOW_MS : IDEMPOTENCY_RETENTION_MS)) continue;
    recovered({ atMs: input.at_ms, request, idempotencyKey, answer });
  }
  await runner.runUntil(hosted, atMs, { isCancelled: calledOff });
  return { hosted, relay };
}
