import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { Thread } from "../platform.ts";

/** The compiled file of a thread; in tests the TypeScript source with a loader. */
export function threadFile(url: URL): { filename: string; execArgv?: string[] } {
  const source = fileURLToPath(url);
  if (!import.meta.url.endsWith(".ts")) return { filename: source.replace(/\.ts$/, ".js") };
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api")).href.replace(/\.cjs$/, ".mjs");
  const script = `import { register } from "${tsx}"; register();`;
  return { filename: source, execArgv: ["--import", `data:text/javascript,${encodeURIComponent(script)}`] };
}

interface WaitingTask {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * One thread that answers tasks in order. It starts in less time than a pool of one.
 *
 * @param url  source file beside the caller, which answers with `answerTasks`. `build/bundle.mjs` lists it among its entries.
 */
export function openThread(url: URL): Thread {
  const { filename, ...options } = threadFile(url);
  const worker = new Worker(filename, options);
  const waiting: WaitingTask[] = [];
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  worker.on("message", (answer: unknown) => waiting.shift()?.resolve(answer));
  worker.on("error", fail);
  worker.on("exit", () => fail(new Error("the thread has ended")));
  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        // The caller names the type of the answer.
        waiting.push({ resolve: resolve as (answer: unknown) => void, reject });
        worker.postMessage(task);
      }),
    close: async () => {
      await worker.terminate();
    },
  };
}
