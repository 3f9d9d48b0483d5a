import { assert } from "../base/assert.ts";
import { type EpochMs, isoUtc } from "../base/time.ts";
import { runScenario, type ScenarioRun } from "../report/runScenario.ts";
import { readScenario } from "../scenario/loadScenario.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { exportScenario } from "./exportScenario.ts";
import type { WorldInput } from "./journal/entry.ts";
import { replay } from "./replay.ts";
import type { ServedScenario } from "./servedScenario.ts";
import type { WallClock } from "./wallClock.ts";

/** A session as it stood at one instant. */
export interface SessionSnapshot {
  readonly served: ServedScenario;
  /** Of the surviving branch, oldest first. */
  readonly inputs: readonly WorldInput[];
  readonly nowMs: EpochMs;
  /** Digest of the world's whole state. */
  readonly stateHash: string;
}

/**
 * The end of a session's export.
 *
 * A run stops before what is due at its end. What was commanded at the very instant of the export is to count, and so is
 * a session that has not moved yet: both end a millisecond later.
 */
export function exportEndMs({ served, inputs, nowMs }: SessionSnapshot): EpochMs {
  const { startMs, endMs } = served.scenario.world;
  const last = inputs[inputs.length - 1];
  const isBare = nowMs === startMs || last?.at_ms === nowMs;
  return Math.min(isBare ? nowMs + 1 : nowMs, endMs);
}

/** The session so far as a scenario file. */
export const exportOf = (snapshot: SessionSnapshot): string =>
  exportScenario(snapshot.served, snapshot.inputs, exportEndMs(snapshot));

/**
 * Writes the report of a session: that of its export, once it is certain that the export tells what the session lived
 * through.
 *
 * @throws BugError when a run of the export comes to another state than the session has; nothing is written then
 */
export async function writeSessionReport(
  snapshot: SessionSnapshot,
  { out, wall }: { readonly out: string; readonly wall: WallClock },
): Promise<ScenarioRun> {
  await assertSameState(snapshot, wall);
  return runScenario(readBack(snapshot.served, exportOf(snapshot)), { out });
}

/** Runs the export by itself through the instant of the session and compares the states. */
async function assertSameState(snapshot: SessionSnapshot, wall: WallClock): Promise<void> {
  const { served, inputs, nowMs, stateHash } = snapshot;
  const whole = readBack(served, exportScenario(served, inputs, served.scenario.world.endMs));
  const { hosted } = await replay(whole, { inputs: [], atMs: nowMs }, { wall, listeners: [] });
  // What was commanded at the end of the run lies outside a run.
  if (nowMs === served.scenario.world.endMs && inputs.at(-1)?.at_ms === nowMs) hosted.world.command(() => {});
  const found = hosted.stateHash();
  assert(
    found === stateHash,
    () =>
      `the export of a session leads to its state; at ${isoUtc(nowMs)} the session has ${stateHash}, the export ${found}`,
  );
}

/** An export as `vppsim run` would read it, without a file of its own. */
function readBack({ scenario, files }: ServedScenario, text: string): Scenario {
  const overlaid = { read: (path: string) => (path === scenario.file ? Buffer.from(text) : files.read(path)) };
  return readScenario(scenario.file, {}, overlaid);
}
