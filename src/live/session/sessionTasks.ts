import { diskFiles } from "../../platform/node/diskFiles.ts";
import { openThreadPool } from "../../platform/node/openThreadPool.ts";
import { alarmsDigest } from "./alarms/alarmView.ts";
import { type ExportHead, exportParts } from "./exportScenario.ts";
import type { HostedWorld } from "./hostedWorld.ts";
import { recordsUntil } from "./inputStep.ts";
import type { OpenedJournal } from "./openJournal.ts";
import type { ServedScenario } from "./servedScenario.ts";
import { exportEndMs, exportedSession, type SessionSnapshot, type WrittenReport } from "./sessionReport.ts";
import type { HeadTask, ReportTask } from "./sessionThread.ts";
import { SliceRunner } from "./sliceRunner.ts";
import { errorOf, type ThreadOutcome } from "./threadFailure.ts";
import type { WallClock } from "./wallClock.ts";

/** A snapshot with the whole served scenario. */
export type ServedSnapshot = SessionSnapshot & { readonly served: ServedScenario };

/** The session of an opened journal at the instant that its world has reached. */
export function snapshotOf(
  served: ServedScenario,
  { header, journal, state }: OpenedJournal,
  hosted: HostedWorld,
): ServedSnapshot {
  return {
    served,
    openedMs: header.open_ms,
    lastStep: state.lastStep,
    journal,
    derivedChanges: [...hosted.board.derivedChanges],
    notes: state.persons.notes,
    httpFaults: [...state.httpFaults.commands],
    nowMs: hosted.nowMs,
    stateHash: hosted.stateHash(),
    alarmsHash: alarmsDigest(hosted),
  };
}

/** Where long tasks run. A thread takes half a second to start, so tests that write many reports use `here`. */
export type TaskPlace = "thread" | "here";

/** Bytes of inputs in one piece of memory. */
const COPY_BYTES = 4_194_304;

/**
 * Long tasks of a session, each in a thread of its own while the session goes on. They run one after the other, so that many
 * callers need no more memory than one.
 */
export class SessionTasks {
  private readonly wallClock: WallClock;
  private readonly place: TaskPlace;
  private last: Promise<unknown> = Promise.resolve();

  constructor(wallClock: WallClock, place: TaskPlace) {
    this.wallClock = wallClock;
    this.place = place;
  }

  /** The session as a scenario file, in parts. */
  async openExport(snapshot: SessionSnapshot): Promise<Iterable<string>> {
    const { scenario, text } = snapshot.served;
    const task: HeadTask = { kind: "head", file: scenario.file, text, endMs: exportEndMs(snapshot) };
    return exportParts(await this.run<ExportHead>(task), exportedSession(snapshot));
  }

  async writeReport(snapshot: ServedSnapshot, out: string): Promise<WrittenReport> {
    const { served, lastStep: _lastStep, journal: _journal, ...rest } = snapshot;
    const { scenario, text, drill } = served;
    const { file, world } = scenario;
    const task: ReportTask = {
      ...rest,
      kind: "report",
      scenario: {
        file,
        world: {
          startMs: world.startMs,
          endMs: world.endMs,
          sites: world.sites.map(({ name, emsId }) => ({ name, emsId })),
          vpps: world.vpps.map(({ name, vppId }) => ({ name, vppId })),
        },
      },
      text,
      ...(drill === undefined ? {} : { drill }),
      contents: contentsOf(served),
      inputs: await this.copyInputs(snapshot),
      out,
    };
    return this.run<WrittenReport>(task);
  }

  private run<T>(task: HeadTask | ReportTask): Promise<T> {
    const done = this.last.then(async () => {
      const outcome = this.place === "thread" ? await runInThread<T>(task) : await runHere<T>(task);
      if ("failure" in outcome) throw errorOf(outcome.failure);
      return outcome.value;
    });
    this.last = done.catch(() => {});
    return done;
  }

  /** The inputs of a branch as JSON lines, oldest first; other tasks run in between. */
  private async copyInputs({ lastStep, journal }: SessionSnapshot): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = [];
    let lines: Buffer[] = [];
    let bytes = 0;
    const runner = new SliceRunner(this.wallClock);
    for (const json of recordsUntil(lastStep, journal)) {
      lines.push(json, LINE_FEED);
      bytes += json.length + LINE_FEED.length;
      if (bytes >= COPY_BYTES) {
        pieces.push(ownBytes(lines, bytes));
        [lines, bytes] = [[], 0];
      }
      await runner.pauseIfDue();
    }
    return [...pieces, ownBytes(lines, bytes)];
  }
}

const LINE_FEED = Buffer.from("\n");

/** A copy with a memory of its own, as a transfer to a thread requires. */
function ownBytes(parts: readonly Buffer[], bytes: number): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const part of parts) at += part.copy(copy, at);
  return copy;
}

async function runInThread<T>(task: HeadTask | ReportTask): Promise<ThreadOutcome<T>> {
  const pool = openThreadPool({ url: new URL("./sessionThread.ts", import.meta.url), minThreads: 1, maxThreads: 1 });
  try {
    return await pool.run(task, task.kind === "report" ? task.inputs.map(({ buffer }) => buffer as ArrayBuffer) : []);
  } finally {
    await pool.close();
  }
}

async function runHere<T>(task: HeadTask | ReportTask): Promise<ThreadOutcome<T>> {
  // Loaded on demand: a server that uses threads does not need the code of reports.
  const { default: run } = await import("./sessionThread.ts");
  return (await run(task)) as ThreadOutcome<T>;
}

/** Contents of the scenario's files where a thread cannot read them from the disk. */
function contentsOf({ scenario, files }: ServedScenario): ReadonlyMap<string, Uint8Array> | null {
  if (files === diskFiles) return null;
  const contents = [...scenario.inputFiles.keys()].map((path) => [path, files.read(path)] as const);
  return new Map(contents.flatMap(([path, bytes]) => (bytes === null ? [] : [[path, Uint8Array.from(bytes)]])));
}
