import { assert } from "../../base/assert.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import { readScenario } from "../../inputs/scenario/loadScenario.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import type { ScenarioRun } from "../../report/runScenario.ts";
import { alarmsDigest } from "./alarms/alarmView.ts";
import { exportedAlarms } from "./alarms/exportedAlarms.ts";
import type { HttpFaultCommand } from "./clients/httpFaultBoard.ts";
import { type ExportedSession, type ExportSource, exportScenario } from "./exportScenario.ts";
import type { DerivedChange } from "./injects/inject.ts";
import { type InputStep, inputsUntil } from "./inputStep.ts";
import type { RecordReader } from "./journal/journalRecord.ts";
import type { Note } from "./personLog.ts";
import { replay } from "./replay.ts";
import type { WallClock } from "./wallClock.ts";

/** A session at one instant. */
export interface SessionSnapshot {
  readonly served: ExportSource;
  /** Start of the session's clock. */
  readonly openedMs: EpochMs;
  /** Effects of injects and owner calls, oldest first. */
  readonly derivedChanges: readonly DerivedChange[];
  readonly notes: readonly Note[];
  readonly httpFaults: readonly HttpFaultCommand[];
  /** Of the current branch. */
  readonly lastStep: InputStep | null;
  /** Has the inputs of the branch. */
  readonly journal: RecordReader;
  readonly nowMs: EpochMs;
  /** Digest of the world's whole state. */
  readonly stateHash: string;
  /** Digest of the list of alarms. */
  readonly alarmsHash: string;
}

/**
 * End of a session's export.
 *
 * A run excludes the events at its end. The export ends a millisecond later, so that commands at the instant of the
 * export count, and so that a session that has not moved has a period.
 */
export function exportEndMs({ served, lastStep: last, derivedChanges, nowMs }: SessionSnapshot): EpochMs {
  const { startMs, endMs } = served.scenario.world;
  const isBare = nowMs === startMs || last?.atMs === nowMs || derivedChanges.at(-1)?.atMs === nowMs;
  return Math.min(isBare ? nowMs + 1 : nowMs, endMs);
}

/** The session until now as a scenario file, in parts. */
export const exportSession = (snapshot: SessionSnapshot): Iterable<string> =>
  exportScenario(exportedSession(snapshot), exportEndMs(snapshot));

/** A snapshot as an export takes it. */
export const exportedSession = ({
  served,
  openedMs,
  lastStep,
  journal,
  derivedChanges,
  notes,
  httpFaults,
}: SessionSnapshot): ExportedSession => ({
  served,
  openedMs,
  inputs: () => inputsUntil(lastStep, journal),
  derivedChanges,
  notes,
  httpFaults,
});

/** What was written. */
export type WrittenReport = Pick<ScenarioRun, "folder" | "files">;

/**
 * Writes the report of a session's export, after verifying that a run of the export reaches the same state as the
 * session.
 *
 * @throws BugError if the states differ; nothing is written then
 */
export async function writeSessionReport(
  snapshot: SessionSnapshot,
  { out, wallClock }: { readonly out: string; readonly wallClock: WallClock },
): Promise<WrittenReport> {
  await assertSameState(snapshot, wallClock);
  // Loaded on demand: a session has no need of it before.
  const { runScenario } = await import("../../report/runScenario.ts");
  const { folder, files } = await runScenario(readExport(snapshot.served, exportSession(snapshot)), {
    out,
    alarmsOf: exportedAlarms,
  });
  return { folder, files };
}

/** Runs the export up to the session's instant and compares the states and the alarms. */
async function assertSameState(snapshot: SessionSnapshot, wallClock: WallClock): Promise<void> {
  const { served, nowMs, stateHash, alarmsHash } = snapshot;
  const whole = readExport(served, exportScenario(exportedSession(snapshot), served.scenario.world.endMs));
  const hosted = await replay(whole, { inputs: [], atMs: nowMs }, { wallClock });
  // Events at the end of the run lie outside the run.
  const last = snapshot.lastStep;
  if (nowMs === served.scenario.world.endMs && last?.atMs === nowMs) hosted.world.runCommand(() => {});
  const found = hosted.stateHash();
  const refusal = (what: string): string =>
    `the export of a session leads to its ${what}; at ${isoUtc(nowMs)} it does not`;
  assert(found === stateHash, () => `${refusal("state")}: the session has ${stateHash}, the export ${found}`);
  assert(alarmsDigest(hosted) === alarmsHash, () => refusal("alarms"));
}

/** Parses an export as `vppsim run` would, without writing a file. */
function readExport({ scenario, files }: ExportSource, parts: Iterable<string>): Scenario {
  const text = Buffer.concat([...parts].map((part) => Buffer.from(part)));
  const overlaid = { read: (path: string) => (path === scenario.file ? text : files.read(path)) };
  return readScenario(scenario.file, {}, overlaid);
}
