import { type EpochMs, MS_PER_DAY, MS_PER_HOUR } from "../base/time.ts";
import type { Answer, ApiRequest } from "../endpoints/route.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { composeObservers } from "../simulation/composeObservers.ts";
import { HostedWorld } from "./hostedWorld.ts";
import type { WorldInput } from "./journal/entry.ts";
import type { SessionListener } from "./listener.ts";
import { Relay } from "./relay.ts";
import { Runner } from "./runner.ts";
import type { WallClock } from "./wallClock.ts";

/** How long the answer to an Idempotency-Key is kept: 24 hours of simulated time (VPP API "Limits"). */
export const KEYS_KEPT_MS = MS_PER_DAY;
/** How long a command without one counts: against the hourly budgets. */
const COUNTED_MS = MS_PER_HOUR;

/** A command that came out of the journal, and the answer that it was given. */
export interface RecoveredCommand {
  readonly atMs: EpochMs;
  readonly request: ApiRequest;
  /** `null`: it had none. */
  readonly idempotencyKey: string | null;
  readonly answer: Answer;
}

/** A world brought to an instant, and what it tells from now on. */
export interface Replayed {
  readonly hosted: HostedWorld;
  readonly relay: Relay;
}

/** Where a world is to be brought. */
export interface Destination {
  /** Oldest first. */
  readonly inputs: Iterable<WorldInput>;
  readonly atMs: EpochMs;
}

export interface Replaying {
  readonly wall: WallClock;
  readonly listeners: readonly SessionListener[];
  /** Told, oldest first, of the commands that servers still keep something of at the destination. */
  readonly recovered?: (command: RecoveredCommand) => void;
  /** Whether to give up. */
  readonly calledOff?: () => boolean;
}

/**
 * Builds a world and gives it every input at its instant, at batch speed, in slices.
 *
 * @throws SessionRefusal when it was called off
 */
export async function replay(
  scenario: Scenario,
  { inputs, atMs }: Destination,
  { wall, listeners, recovered, calledOff }: Replaying,
): Promise<Replayed> {
  const relay = new Relay(listeners);
  const hosted = new HostedWorld(scenario, composeObservers([relay.observer]));
  const runner = new Runner(wall);
  // What is due at the very start.
  hosted.runThrough(hosted.nowMs);
  for (const input of inputs) {
    await runner.run(hosted, input.at_ms, { calledOff });
    const answer = hosted.take(input);
    if (recovered === undefined || input.kind !== "request" || answer === null) continue;
    const { request, idempotency_key: idempotencyKey = null } = input;
    if (input.at_ms <= atMs - (idempotencyKey === null ? COUNTED_MS : KEYS_KEPT_MS)) continue;
    recovered({ atMs: input.at_ms, request, idempotencyKey, answer });
  }
  await runner.run(hosted, atMs, { calledOff });
  return { hosted, relay };
}
