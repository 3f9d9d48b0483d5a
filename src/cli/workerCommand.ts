import { availableParallelism } from "node:os";
import { inputRefusal } from "../base/inputError.ts";
import { redactRedisUrl } from "../study/node/queue/openRedis.ts";
import { startQueueWorker } from "../study/node/queue/queueWorker.ts";
import { withAbort } from "../study/withAbort.ts";

/**
 * `vppsim worker`: runs candidates and parts of runs until Ctrl-C; running ones are finished first.
 *
 * @throws QueueError when the server is gone
 */
export async function workerCommand(flags: { readonly redis: string; readonly concurrency?: number }): Promise<void> {
  const concurrency = flags.concurrency ?? availableParallelism();
  if (concurrency < 1) throw inputRefusal("--concurrency", `${concurrency}`, "a whole number of at least 1");
  const interrupted = new Promise<void>((end) => {
    process.once("SIGINT", () => end());
    process.once("SIGTERM", () => end());
  });
  const warn = (text: string): void => void process.stderr.write(`vppsim worker: warning: ${text}\n`);
  const worker = await startQueueWorker(flags.redis, concurrency, warn);
  process.stderr.write(
    `vppsim worker: waiting for studies and runs at ${redactRedisUrl(flags.redis)}, ${concurrency} at a time\n`,
  );
  try {
    await withAbort(interrupted, worker.disconnected);
  } finally {
    await worker.close();
  }
}
