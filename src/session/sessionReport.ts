import { assert } from "../base/assert.ts";
import { type EpochMs, isoUtc } from "../base/time.ts";
import type { ScenarioRun } from "../report/runScenario.ts";
import { readScenario } from "../scenario/loadScenario.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { exportScenario } from "./exportScenario.ts";
import { type InputStep, inputsUntil } from "./inputStep.ts";
import { replay } from "./replay.ts";
import type { ServedScenario } from "./servedScenario.ts";
import type { WallClock } from "./wallClock.ts";

/** A session as it stood at one instant. */
export interface SessionSnapshot {
  readonly served: ServedScenario;
  /** Of the surviving branch. */
  readonly lastStep: InputStep | null;
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
export function exportEndMs({ served, lastStep: last, nowMs }: SessionSnapshot): EpochMs {
  const { startMs, endMs } = served.scenario.world;
  const isBare = nowMs === startMs || last?.atMs === nowMs;
  return Math.min(isBare ? nowMs + 1 : nowMs, endMs);
}

/** The session so far as a scenario file. */
export const exportSession = (snapshot: SessionSnapshot): string =>
  exportScenario(snapshot.served, inputsUntil(snapshot.lastStep), exportEndMs(snapshot));

/**
 * Writes the report of a session: that of its export, once it is certain that the export tells what the session lived
 * through.
 *
 * @throws BugError when a run of the export comes to another state than the session has; nothing is written then
 */
export async function writeSessionReport(
  snapshot: SessionSnapshot,
  { out, wallClock: wall }: { readonly out: string; readonly wallClock: WallClock },
): Promise<ScenarioRun> {
  await assertSameState(snapshot, wall);
  // Most sessions write no report, and need none of its code to start.
  const { runScenario } = await import("../report/runScenario.ts");
  return runScenario(readExport(snapshot.served, exportSession(snapshot)), { out });
}

/** Runs the export by itself through the instant of the session and compares the states. */
async function assertSameState(snapshot: SessionSnapshot, wall: WallClock): Promise<void> {
  const { served, lastStep: last, nowMs, stateHash } = snapshot;
  const whole = readExport(served, exportScenario(served, inputsUntil(last), served.scenario.world.endMs));
  const { hosted } = await replay(whole, { inputs: [], atMs: nowMs }, { wallClock: wall, listeners: [] });
  // What was commanded at the end of the run lies outside a run.
  if (nowMs === served.scenario.world.endMs && last?.atMs === nowMs) hosted.world.runCommand(() => {});
  const found = hosted.stateHash();
  assert(
    found === stateHash,
    () =>
      `the export of a session leads to its state; at ${isoUtc(nowMs)} the session has ${stateHash}, the export ${found}`,
  );
}

/** An export as `vppsim run` would read it, without a file of its own. */
function readExport({ scenario, files }: ServedScenario, text: string): Scenario {
  const overlaid = { read: (path: string) => (path === scenario.file ? Buffer.from(text) : files.read(path)) };
  return readScenario(scenario.file, {}, overlaid);
}
