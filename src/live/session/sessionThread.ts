/** Entry point of a thread for the long tasks of a session, which would hold its event loop (docs/model/sandbox.md#event-loop). */
import type { EpochMs } from "../../base/time.ts";
import { memoryFiles } from "../../inputs/scenario/parse/loadContext.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import { type ExportHead, type ExportSource, exportHead } from "./exportScenario.ts";
import { type InputStep, stepOf } from "./inputStep.ts";
import { decodeEntry, type InitialConditionEntry, type WorldInput } from "./journal/journalEntry.ts";
import { KEPT_RECORDS } from "./journal/journalRecord.ts";
import { type SessionSnapshot, type WrittenReport, writeSessionReport } from "./sessionReport.ts";
import { failureOf, type ThreadOutcome } from "./threadFailure.ts";
import { systemClock } from "./wallClock.ts";

/** Begins an export. */
export interface HeadTask {
  readonly kind: "head";
  readonly file: string;
  readonly text: string;
  readonly endMs: EpochMs;
}

/** Writes the report of a session. */
export interface ReportTask
  extends Omit<ExportSource, "files">,
    Omit<SessionSnapshot, "served" | "lastStep" | "journal"> {
  readonly kind: "report";
  /** Contents of the input files; `null`: they are on the disk. */
  readonly contents: ReadonlyMap<string, Uint8Array> | null;
  /** Inputs as JSON lines, oldest first, in pieces of whole lines. */
  readonly inputs: readonly Uint8Array[];
  readonly out: string;
}

export default async function run(
  task: HeadTask | ReportTask,
): Promise<ThreadOutcome<ExportHead> | ThreadOutcome<WrittenReport>> {
  try {
    if (task.kind === "head") return { value: exportHead(task, task.endMs) };
    return { value: await writeReport(task) };
  } catch (error) {
    return { failure: failureOf(error as Error) };
  }
}

function writeReport({ contents, inputs, out, scenario, text, drill, ...rest }: ReportTask): Promise<WrittenReport> {
  const files = contents === null ? diskFiles : memoryFiles(contents);
  const served = { scenario, text, files, ...(drill === undefined ? {} : { drill }) };
  const snapshot = { ...rest, served, lastStep: lastStepOf(inputs), journal: KEPT_RECORDS };
  return writeSessionReport(snapshot, { out, wallClock: systemClock });
}

/** The branch of inputs, linked as in the session. */
function lastStepOf(pieces: readonly Uint8Array[]): InputStep | null {
  let last: InputStep | null = null;
  for (const { buffer, byteOffset, byteLength } of pieces) {
    const lines = Buffer.from(buffer, byteOffset, byteLength);
    let start = 0;
    for (let end = lines.indexOf(LINE_FEED); end >= 0; end = lines.indexOf(LINE_FEED, start)) {
      const json = lines.subarray(start, end);
      last = stepOf(decodeEntry(json) as WorldInput | InitialConditionEntry, { json }, last);
      start = end + 1;
    }
  }
  return last;
}

const LINE_FEED = 10;
