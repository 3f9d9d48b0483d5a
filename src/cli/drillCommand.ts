import type { Language } from "../drill/drill.ts";
import { textIn } from "../drill/drill.ts";
import { playScript, readDrillScript } from "../drill/drillScript.ts";
import { type GradedDrill, gradeDrill } from "../drill/gradeDrill.ts";
import { gradeJson } from "../drill/gradeJson.ts";
import { gradeText } from "../drill/gradeText.ts";
import { drillFileOf, shippedDrills } from "../drill/listDrills.ts";
import { attemptOf, readSessionExport } from "../drill/readAttempt.ts";
import { readDrill } from "../drill/readDrill.ts";
import { EXIT_STATUS } from "./exitStatus.ts";

interface OutputFlags {
  readonly json?: boolean;
  readonly lang?: Language;
}

/** `vppsim drill list`: the drills that ship. */
export function drillListCommand({ json, lang = "en" }: OutputFlags): void {
  const drills = shippedDrills().map((file) => readDrill(file));
  if (json === true) {
    const rows = drills.map(({ name, title, startMs, endMs, file }) => ({
      name,
      title: textIn(title, lang),
      minutes: (endMs - startMs) / 60_000,
      file,
    }));
    process.stdout.write(`${JSON.stringify({ drills: rows })}\n`);
    return;
  }
  const width = Math.max(...drills.map(({ name }) => name.length));
  for (const { name, title, startMs, endMs } of drills)
    process.stdout.write(
      `${name.padEnd(width)}  ${`${(endMs - startMs) / 60_000} min`.padStart(7)}  ${textIn(title, lang)}\n`,
    );
}

/** `vppsim drill validate`: checks a drill with its scenario. */
export function drillValidateCommand(named: string): void {
  const { file, injects, goals, steps } = { ...readDrill(drillFileOf(named)), injects: 0 };
  process.stdout.write(`${file}: valid, ${goals.length} goals, ${steps.length} steps${injects === 0 ? "" : ""}\n`);
}

/** `vppsim drill grade`: grades the export of a session. */
export async function drillGradeCommand(
  exportFile: string,
  flags: OutputFlags & { readonly drill?: string },
): Promise<void> {
  const exported = readSessionExport(exportFile);
  const drill = readDrill(drillFileOf(flags.drill ?? exported.session.drill?.name ?? ""));
  printGrade(await gradeDrill(drill, attemptOf(exportFile, exported, drill)), flags);
}

/** `vppsim drill run --script`: plays the actions of a script and grades them. */
export async function drillScriptCommand(
  named: string,
  flags: OutputFlags & { readonly script: string },
): Promise<void> {
  const drill = readDrill(drillFileOf(named));
  printGrade(await gradeDrill(drill, playScript(drill, readDrillScript(flags.script, drill))), flags);
}

/** A drill that was not passed is a failure, so that a shell can tell. */
function printGrade(graded: GradedDrill, { json, lang = "en" }: OutputFlags): void {
  process.stdout.write(json === true ? `${JSON.stringify(gradeJson(graded, lang))}\n` : gradeText(graded, lang));
  if (!graded.isPassed) process.exitCode = EXIT_STATUS.failed;
}
