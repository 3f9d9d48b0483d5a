import { basename, join, resolve } from "node:path";
import { inputRefusal } from "../base/inputError.ts";
import { type Language, textIn } from "../base/language.ts";
import { isoUtc, MS_PER_MINUTE } from "../base/time.ts";
import { readHistory, rememberAttempt } from "../live/drill/attemptHistory.ts";
import type { Drill } from "../live/drill/drill.ts";
import { readDrillScript } from "../live/drill/drillScript.ts";
import { type GradeDocuments, gradeDocuments, type Trainee } from "../live/drill/gradeDocuments.ts";
import { gradeDrill } from "../live/drill/gradeDrill.ts";
import { gradeScript } from "../live/drill/gradeScript.ts";
import { attemptOf, readSessionExport, type SessionExport } from "../live/drill/readAttempt.ts";
import { drillFileOf, readDrill, shippedDrills } from "../live/drill/readDrill.ts";
import { ReportFolder } from "../platform/node/reportFolder.ts";
import { createPageLocale } from "../report/html/page/pageLocale.ts";
import { writeFolder } from "../report/writeFolder.ts";
import { EXIT_STATUS } from "./exitStatus.ts";

interface OutputFlags {
  readonly json?: boolean;
  readonly lang?: Language;
}

/** Options of everything that grades. */
export interface GradeFlags extends OutputFlags {
  /** Folder of the debriefing. */
  readonly out?: string;
  /** The trainee; if given, the attempt is added to the history. */
  readonly person?: string;
  readonly history?: string;
}

/** Earlier attempts of trainees, on this machine alone. */
const DEFAULT_HISTORY = join(".vppsim", "drill-attempts.jsonl");

/** `vppsim drill list`: lists the shipped drills. */
export function drillListCommand({ json, lang = "en" }: OutputFlags): void {
  const drills = shippedDrills().map((file) => {
    const { name, title, startMs, endMs } = readDrill(file);
    return { name, title: textIn(title, lang), minutes: (endMs - startMs) / MS_PER_MINUTE, file };
  });
  if (json === true) {
    process.stdout.write(`${JSON.stringify({ drills })}\n`);
    return;
  }
  const width = Math.max(...drills.map(({ name }) => name.length));
  for (const { name, title, minutes } of drills)
    process.stdout.write(`${name.padEnd(width)}  ${`${minutes} min`.padStart(7)}  ${title}\n`);
}

/** `vppsim drill validate`: checks a drill with its scenario. */
export function drillValidateCommand(nameOrFile: string): void {
  const { file, startMs, endMs, served, goals, steps } = readDrill(drillFileOf(nameOrFile));
  const injects = served.drill?.injects.length ?? 0;
  const { timezone } = served.scenario;
  const clock = createPageLocale("en", timezone, { startMs, endMs });
  const local = timezone === "UTC" ? "" : ` (${clock.formatPeriod(startMs, endMs)} ${clock.zoneText})`;
  const period = `${isoUtc(startMs)} to ${isoUtc(endMs)}${local}`;
  process.stdout.write(`${file}: valid, ${period}, ${injects} injects, ${goals.length} goals, ${steps.length} steps\n`);
}

/** `vppsim drill grade`: grades the export of a session. */
export async function drillGradeCommand(
  exportFile: string,
  flags: GradeFlags & { readonly drill?: string },
): Promise<void> {
  const exported = readSessionExport(exportFile);
  const drill = readDrill(flags.drill === undefined ? shippedFileOf(exportFile, exported) : drillFileOf(flags.drill));
  if (drill.isForClients) {
    const allowed = `vppsim drill run ${drill.name} -- <program>: an export has no requests that were not accepted`;
    throw inputRefusal(exportFile, "a session of a client program", allowed);
  }
  const output = gradeOutput(drill, flags, [exportFile]);
  const graded = await gradeDrill(drill, attemptOf(exportFile, exported, drill));
  writeGrade(gradeDocuments(graded, flags.lang ?? "en", output.trainee), output, flags);
}

/** The file of the drill that an export names, if it ships. */
function shippedFileOf(exportFile: string, { session: { drill } }: SessionExport): string {
  if (drill === undefined) throw inputRefusal(exportFile, "a session without a drill", "the export of a drill session");
  const shipped = shippedDrills().find((file) => basename(file) === `${drill.name}.yaml`);
  if (shipped !== undefined) return shipped;
  throw inputRefusal(exportFile, `a session of the drill ${drill.name}, which does not ship`, "its file in --drill");
}

/** `vppsim drill run --script`: executes the actions of a script and grades them. */
export async function drillScriptCommand(
  nameOrFile: string,
  flags: GradeFlags & { readonly script: string },
): Promise<void> {
  const drill = readDrill(drillFileOf(nameOrFile));
  const output = gradeOutput(drill, flags, [flags.script]);
  const graded = await gradeScript(drill, readDrillScript(flags.script, drill));
  writeGrade(gradeDocuments(graded, flags.lang ?? "en", output.trainee), output, flags);
}

/** Outputs of a grade besides standard output. */
interface GradeOutput {
  /** The trainee with earlier attempts on this machine; `null`: not named. */
  readonly trainee: Trainee | null;
  /** Input files of the grade; a folder that contains one of them is not replaced. */
  readonly inputs: readonly string[];
}

/**
 * Checks the outputs of a grade before the drill begins.
 *
 * @param files  inputs beside the drill and its scenario
 * @throws InputErrors for a history with a wrong line, and for a folder that must not be replaced
 */
export function gradeOutput(
  drill: Drill,
  { out, person, history = DEFAULT_HISTORY }: GradeFlags,
  files: readonly string[] = [],
): GradeOutput {
  const trainee = person === undefined ? null : { name: person, history: readHistory(history, person, drill) };
  const inputs = [drill.file, history, ...files].map((file) => resolve(file));
  inputs.push(...drill.served.scenario.inputFiles.keys());
  if (out !== undefined) new ReportFolder(out, { inputs }).discard();
  return { trainee, inputs };
}

/**
 * Prints a grade, writes its debriefing, and adds it to the history. The exit status of a drill that was not passed is
 * 1.
 */
export function writeGrade(documents: GradeDocuments, { trainee, inputs }: GradeOutput, flags: GradeFlags): void {
  const { json, out, history = DEFAULT_HISTORY } = flags;
  const grade = `${documents.json}\n`;
  const files = new Map([
    ["grade.json", grade],
    ["debriefing.html", documents.debriefing],
  ]);
  // First: a session cannot be sat again if the folder got files of the user in the meantime.
  process.stdout.write(json === true ? grade : documents.text);
  if (trainee !== null && documents.historyLine !== null)
    rememberAttempt(history, trainee.history, documents.historyLine);
  if (out !== undefined) {
    writeFolder(out, files, inputs);
    if (json !== true) process.stdout.write(`debriefing: ${join(out, "debriefing.html")}\n`);
  }
  if (!documents.isPassed) process.exitCode = EXIT_STATUS.failed;
}
