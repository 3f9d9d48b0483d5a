import { availableParallelism } from "node:os";
import { InputErrors, inputError } from "../scenario/parse/inputError.ts";
import { startQueueWorker } from "../study/queue/queueWorker.ts";
import { redactRedisUrl } from "../study/queue/redactRedisUrl.ts";

/** `vppsim worker`: runs candidates until Ctrl-C; running ones are finished first. */
export async function workerCommand(flags: { readonly redis: string; readonly concurrency?: number }): Promise<void> {
  const concurrency = flags.concurrency ?? availableParallelism();
  if (concurrency < 1)
    throw new InputErrors([
      inputError({
        file: "--concurrency",
        line: 0,
        column: 0,
        keyPath: "",
        found: `${concurrency}`,
        allowed: "a whole number of at least 1",
      }),
    ]);
  const interrupted = new Promise<void>((end) => {
    process.once("SIGINT", () => end());
    process.once("SIGTERM", () => end());
  });
  const worker = await startQueueWorker(flags.redis, concurrency);
  process.stderr.write(
    `vppsim worker: waiting for studies at ${redactRedisUrl(flags.redis)}, ${concurrency} at a time\n`,
  );
  await interrupted;
  await worker.close();
}
