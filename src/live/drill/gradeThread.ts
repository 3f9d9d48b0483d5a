import type { Language } from "../../base/language.ts";
/** Entry point of a thread that grades a running session, which would hold its event loop (docs/model/sandbox.md#event-loop). */
import { failureOf, type ThreadOutcome } from "../session/threadFailure.ts";
import { type GradeDocuments, gradeDocuments, type Trainee } from "./gradeDocuments.ts";
import type { ClientFigures } from "./gradedDrill.ts";
import { RunCounter } from "./runCounter.ts";
import { SessionGrader } from "./sessionGrader.ts";

/** One grade of a session. */
export interface GradeTask {
  /** Absolute path of the drill file. */
  readonly file: string;
  readonly searchBudget: number;
  /** The export of the session, UTF-8. */
  readonly exported: Uint8Array;
  /** Only for a drill whose trainee is a program. */
  readonly client: ClientFigures | undefined;
  readonly language: Language;
  readonly trainee: Trainee | null;
  /** Memory of the `RunCounter`. */
  readonly runs: SharedArrayBuffer;
}

/** Graders by drill, so that the search for the best runs once. */
const graders = new Map<string, SessionGrader>();

export default async function run(task: GradeTask): Promise<ThreadOutcome<GradeDocuments>> {
  try {
    const { file, searchBudget, exported, client, language, trainee, runs } = task;
    const key = `${searchBudget} ${file}`;
    const grader = graders.get(key) ?? new SessionGrader(file, searchBudget);
    graders.set(key, grader);
    const graded = await grader.gradeExport(Buffer.from(exported).toString(), client, new RunCounter(runs));
    return { value: gradeDocuments(graded, language, trainee) };
  } catch (error) {
    return { failure: failureOf(error as Error) };
  }
}
