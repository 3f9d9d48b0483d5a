import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Piscina } from "piscina";
import type { Outcome } from "./evaluate.ts";
import type { Executor, WorkerStudy } from "./executor.ts";

/** Jobs that wait in front of each worker: enough that none runs dry, few enough that memory stays flat. */
const QUEUED_PER_WORKER = 2;

/** Worker threads, each with the scenario read once. */
export function poolExecutor(study: WorkerStudy, workers: number): Executor {
  const pool = new Piscina({
    ...workerFile(),
    workerData: study,
    minThreads: workers,
    maxThreads: workers,
  });
  let broken: Error | null = null;
  const stop = new AbortController();
  // A thread that cannot start takes no job, and would leave all of them waiting.
  pool.on("error", (error: Error) => {
    broken ??= error;
    stop.abort();
  });
  return {
    width: workers,
    async run(jobs, done, signal) {
      let next = 0;
      const either = AbortSignal.any([signal, stop.signal]);
      const take = async (): Promise<void> => {
        while (next < jobs.length) {
          either.throwIfAborted();
          const k = next++;
          done(k, (await pool.run(jobs[k], { signal: either })) as Outcome[]);
        }
      };
      const lanes = Array.from({ length: Math.min(jobs.length, workers * QUEUED_PER_WORKER) }, take);
      try {
        await Promise.all(lanes);
      } catch (error) {
        stop.abort();
        await Promise.allSettled(lanes);
        signal.throwIfAborted();
        throw broken ?? error;
      }
    },
    close: () => pool.destroy(),
  };
}

/** The worker beside this file; from its own source, in tests, with what makes Node read TypeScript. */
function workerFile(): { filename: string; execArgv?: string[] } {
  const source = fileURLToPath(new URL("./studyWorker.ts", import.meta.url));
  if (!import.meta.url.endsWith(".ts")) return { filename: source.replace(/\.ts$/, ".js") };
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api")).href.replace(/\.cjs$/, ".mjs");
  const script = `import { register } from "${tsx}"; register();`;
  return { filename: source, execArgv: ["--import", `data:text/javascript,${encodeURIComponent(script)}`] };
}
