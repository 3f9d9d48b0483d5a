import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import type { Evaluator } from "./evaluate.ts";
import type { Executor, Piece, WorkerStudy } from "./executor.ts";
import { type Lane, ownLane, sharedExecutor } from "./sharedExecutor.ts";

/**
 * Worker threads, each with the scenario read once.
 *
 * @param together how many of them share the jobs of one call; others are left to calls at the same time
 */
export function poolExecutor(study: WorkerStudy, workers: number, together = workers): Executor {
  const { lane, close } = threads(study, workers);
  return sharedExecutor(
    Array.from({ length: together }, () => lane),
    close,
  );
}

/**
 * This thread and `workers - 1` others. This one has read the scenario already, so that it begins at once, while the
 * others start; it hears and says nothing while it runs a candidate.
 */
export function crewExecutor(evaluator: Pick<Evaluator, "run">, study: WorkerStudy, workers: number): Executor {
  const { lane, close } = threads(study, workers - 1);
  return sharedExecutor([...Array.from({ length: workers - 1 }, () => lane), ownLane(evaluator)], close);
}

/** A pool, and the lane that leads to whichever of its threads has nothing to do. */
function threads(study: WorkerStudy, count: number): { lane: Lane; close: () => Promise<void> } {
  const pool = new Piscina({ ...workerFile(), workerData: study, minThreads: count, maxThreads: count });
  // A thread that cannot start takes no batch, and would leave all of them waiting.
  const broken = new Promise<never>((_, fail) => pool.on("error", fail));
  broken.catch(() => {});
  const lane: Lane = async (batch, report, signal) => {
    const { port1, port2 } = new MessageChannel();
    const shut = () => port1.close();
    signal.addEventListener("abort", shut);
    const heard = new Promise<void>((end) => {
      port1.on("message", (pieces: readonly Piece[] | null) => {
        if (pieces === null) end();
        else report(pieces);
      });
      port1.on("close", end);
    });
    try {
      await Promise.race([Promise.all([heard, pool.run({ batch, port: port2 }, { transferList: [port2] })]), broken]);
    } finally {
      signal.removeEventListener("abort", shut);
      shut();
    }
  };
  return { lane, close: () => pool.destroy() };
}

/** The worker beside this file; from its own source, in tests, with what makes Node read TypeScript. */
function workerFile(): { filename: string; execArgv?: string[] } {
  const source = fileURLToPath(new URL("./studyWorker.ts", import.meta.url));
  if (!import.meta.url.endsWith(".ts")) return { filename: source.replace(/\.ts$/, ".js") };
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api")).href.replace(/\.cjs$/, ".mjs");
  const script = `import { register } from "${tsx}"; register();`;
  return { filename: source, execArgv: ["--import", `data:text/javascript,${encodeURIComponent(script)}`] };
}
