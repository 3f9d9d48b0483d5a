/**
 * What the grade and the debriefing of each shipped drill take, of an attempt by its script: processor time, and the counterfactual
 * runs and the search behind them. A server makes both in a thread.
 *
 *   npx tsx bench/drills.ts
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { renderDebriefing } from "../src/live/drill/debriefPage.ts";
import { executeScript, readDrillScript } from "../src/live/drill/drillScript.ts";
import { gradeDrill } from "../src/live/drill/gradeDrill.ts";
import { gradeJson } from "../src/live/drill/gradeJson.ts";
import { readDrill, shippedDrills } from "../src/live/drill/readDrill.ts";

export interface DrillRow {
  readonly drill: string;
  readonly score: number;
  /** Runs of the drill: of the search, and one without each action. */
  readonly runs: number;
  readonly gradeMs: number;
  readonly msPerRun: number;
  readonly debriefingMs: number;
  readonly debriefingKb: number;
  readonly jsonKb: number;
}

export async function run(): Promise<DrillRow[]> {
  const rows: DrillRow[] = [];
  for (const file of shippedDrills()) {
    const drill = readDrill(file);
    const { name } = drill;
    if (drill.isForClients) continue;
    const script = fileURLToPath(new URL(`../scenarios/drills/scripts/${name}.pass.yaml`, import.meta.url));
    const attempt = executeScript(drill, readDrillScript(script, drill));
    const beganMs = cpuMs();
    const graded = await gradeDrill(drill, attempt);
    const gradedMs = cpuMs();
    const page = renderDebriefing(graded, { language: "en", earlier: [] });
    const runs = graded.best.runs + graded.effects.length;
    rows.push({
      drill: name,
      score: graded.score,
      runs,
      gradeMs: Math.round(gradedMs - beganMs),
      msPerRun: tenths((gradedMs - beganMs) / runs),
      debriefingMs: Math.round(cpuMs() - gradedMs),
      debriefingKb: tenths(page.length / 1e3),
      jsonKb: tenths(JSON.stringify(gradeJson(graded)).length / 1e3),
    });
  }
  return rows;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

const tenths = (value: number): number => Math.round(10 * value) / 10;

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.table(await run());
