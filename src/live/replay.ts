import type { EpochMs } from "../base/time.ts";
import type { Answer, ApiRequest } from "../requests/route.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { composeObservers } from "../world/composeObservers.ts";
import { HostedWorld } from "./hostedWorld.ts";
import type { WorldInput } from "./journal/entry.ts";
import type { SessionListener } from "./listener.ts";
import { Relay } from "./relay.ts";
import { Runner } from "./runner.ts";
import type { WallClock } from "./wallClock.ts";

/** A command with an Idempotency-Key that came out of the journal, and the answer that it was given. */
export interface RecoveredCommand {
  readonly atMs: EpochMs;
  readonly request: ApiRequest;
  readonly idempotencyKey: string;
  readonly answer: Answer;
}

/** A world brought to an instant, and what it tells from now on. */
export interface Replayed {
  readonly hosted: HostedWorld;
  readonly relay: Relay;
  readonly recovered: readonly RecoveredCommand[];
}

/** Where a world is to be brought. */
export interface Destination {
  /** Oldest first. */
  readonly inputs: readonly WorldInput[];
  readonly atMs: EpochMs;
}

/** Builds a world and gives it every input at its instant, at batch speed, in slices. */
export async function replay(
  scenario: Scenario,
  { inputs, atMs }: Destination,
  { wall, listeners }: { readonly wall: WallClock; readonly listeners: readonly SessionListener[] },
): Promise<Replayed> {
  const relay = new Relay(listeners);
  const hosted = new HostedWorld(scenario, composeObservers([relay.observer]));
  const runner = new Runner(wall);
  const recovered: RecoveredCommand[] = [];
  // What is due at the very start.
  hosted.runThrough(hosted.nowMs);
  for (const input of inputs) {
    await runner.run(hosted, input.at_ms);
    const answer = hosted.take(input);
    if (input.kind !== "request" || input.idempotency_key === undefined || answer === null) continue;
    const { request, idempotency_key: idempotencyKey } = input;
    recovered.push({ atMs: input.at_ms, request, idempotencyKey, answer });
  }
  await runner.run(hosted, atMs);
  return { hosted, relay, recovered };
}
