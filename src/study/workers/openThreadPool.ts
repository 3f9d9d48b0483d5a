import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Transferable } from "node:worker_threads";
import { Piscina } from "piscina";

export interface ThreadPool {
  /** Gives a task to the thread that is free first. @throws what the task throws, or why a thread could not start */
  readonly run: <Result>(task: object, transferList?: readonly Transferable[]) => Promise<Result>;
  /** Ends what runs. */
  readonly close: () => Promise<void>;
}

export interface ThreadPoolOptions {
  /** Source file whose default export takes tasks, as `new URL("./x.ts", import.meta.url)`. */
  readonly url: URL;
  readonly workerData?: unknown;
  /** Started at once, and at most. */
  readonly minThreads: number;
  readonly maxThreads: number;
}

/** A pool of threads that stay until it is closed. */
export function openThreadPool({ url, workerData, minThreads, maxThreads }: ThreadPoolOptions): ThreadPool {
  const pool = new Piscina({
    ...workerFile(url),
    workerData,
    minThreads,
    maxThreads,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  // A thread that cannot start takes no task, and would leave all of them waiting.
  const broken = new Promise<never>((_, fail) => pool.on("error", fail));
  broken.catch(() => {});
  return {
    run: (task, transferList = []) => Promise.race([pool.run(task, { transferList: [...transferList] }), broken]),
    close: () => pool.destroy(),
  };
}

/** From its own source, in tests, with what makes Node read TypeScript. */
function workerFile(url: URL): { filename: string; execArgv?: string[] } {
  const source = fileURLToPath(url);
  if (!import.meta.url.endsWith(".ts")) return { filename: source.replace(/\.ts$/, ".js") };
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api")).href.replace(/\.cjs$/, ".mjs");
  const script = `import { register } from "${tsx}"; register();`;
  return { filename: source, execArgv: ["--import", `data:text/javascript,${encodeURIComponent(script)}`] };
}
