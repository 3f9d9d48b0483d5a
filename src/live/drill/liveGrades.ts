import type { Language } from "../../base/language.ts";
import { openThreadPool, type ThreadPool } from "../../platform/node/openThreadPool.ts";
import { errorOf, type ThreadOutcome } from "../session/threadFailure.ts";
import type { Drill } from "./drill.ts";
import type { GradeDocuments, Trainee } from "./gradeDocuments.ts";
import type { ClientFigures } from "./gradedDrill.ts";
import type { GradeTask } from "./gradeThread.ts";
import { type RunCount, RunCounter } from "./runCounter.ts";

interface LiveGradesOptions {
  /** The trainee; `null`: not named. */
  readonly trainee?: Trainee | null;
  /** Only for a drill whose trainee is a program. */
  readonly clientFigures?: () => ClientFigures | undefined;
  /** `here`: for tests, which avoid the start of a thread. */
  readonly place?: "thread" | "here";
}

type ReadExport = () => Promise<Uint8Array>;

/** A grade that has not begun; requests of the same language that read the session in the same way share it. */
interface PendingGrade {
  readonly readExport: ReadExport;
  readonly language: Language;
  readonly documents: Promise<GradeDocuments>;
}

/**
 * Grades a session of a drill while it runs and after it, without further actions of the trainee. Grades are computed
 * in a thread, one after the other, so that the server answers meanwhile. Requests that arrive while a grade waits
 * share it. A grade continues if its caller disconnects, and a further request of the same session gets it
 * (docs/model/drills.md#fetch-again).
 */
export class LiveGrades {
  readonly drill: Drill;
  private readonly options: LiveGradesOptions;
  private pool: ThreadPool | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private pending: PendingGrade[] = [];
  /** Counter of the grade that is being computed; `null`: none. */
  private counter: RunCounter | null = null;

  constructor(drill: Drill, options: LiveGradesOptions = {}) {
    this.drill = drill;
    this.options = options;
  }

  /** @param readExport  the export of the session, read when the grade begins */
  grade(readExport: ReadExport, language: Language): Promise<GradeDocuments> {
    const waiting = this.pending.find((pending) => pending.language === language && pending.readExport === readExport);
    if (waiting !== undefined) return waiting.documents;
    const documents = this.last.then(async () => {
      this.pending = this.pending.filter((pending) => pending.documents !== documents);
      return this.compute(await readExport(), language);
    });
    this.pending.push({ readExport, language, documents });
    this.last = documents.catch(() => {});
    return documents;
  }

  /** Progress of the grade that is being computed; `null`: none. */
  get runs(): RunCount | null {
    return this.counter?.count ?? null;
  }

  private async compute(exported: Uint8Array, language: Language): Promise<GradeDocuments> {
    const { trainee = null, clientFigures, place = "thread" } = this.options;
    const { file, searchBudget } = this.drill;
    const runs = RunCounter.allocate();
    const task: GradeTask = { file, searchBudget, exported, client: clientFigures?.(), language, trainee, runs };
    this.counter = new RunCounter(runs);
    try {
      return await this.outcomeOf(task, place);
    } finally {
      this.counter = null;
    }
  }

  private async outcomeOf(task: GradeTask, place: "thread" | "here"): Promise<GradeDocuments> {
    const outcome = place === "thread" ? await this.inThread(task) : await runHere(task);
    if ("failure" in outcome) throw errorOf(outcome.failure);
    return outcome.value;
  }

  private inThread(task: GradeTask): Promise<ThreadOutcome<GradeDocuments>> {
    const url = new URL("./gradeThread.ts", import.meta.url);
    this.pool ??= openThreadPool({ url, minThreads: 1, maxThreads: 1 });
    return this.pool.run(task);
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.pool?.close();
    this.pool = null;
  }
}

async function runHere(task: GradeTask): Promise<ThreadOutcome<GradeDocuments>> {
  // Loaded on demand: a server that uses threads does not need the code of grades.
  const { default: run } = await import("./gradeThread.ts");
  return run(task);
}
