import type { LoadOptions } from "../../../inputs/scenario/loadScenario.ts";
import type { PartsHost } from "../../../report/parts/partsHost.ts";
import type { PartsOptions } from "../../../report/parts/partsRun.ts";
import { RunStopped } from "../../../report/runStopped.ts";
import { JOBS_IN_FLIGHT, QueueClient, type QueueClientOptions } from "./queueClient.ts";
import { type JobFiles, type PackedPart, partKey, type QueuedPart, readPackedPart } from "./queueNames.ts";

export interface QueuePartsOptions extends QueueClientOptions {
  /** With which the scenario was built; workers build it in the same way. */
  readonly load: LoadOptions;
  /** Stops the run. */
  readonly signal: AbortSignal;
}

type PartsClient = QueueClient<Omit<QueuedPart, keyof JobFiles>, number>;

/**
 * A host that runs parts of a world in `vppsim worker` processes (docs/model/parts.md#redis).
 *
 * @throws InputErrors when the server is unreachable; QueueError when it stops answering
 */
export async function openQueuePartsHost(
  { load, signal, ...options }: QueuePartsOptions,
  recording: PartsOptions,
  partCount: number,
): Promise<PartsHost> {
  const client: PartsClient = await QueueClient.open(options, "no report was written; run again");
  const stop = () => client.failAll(new RunStopped());
  signal.addEventListener("abort", stop, { once: true });
  return {
    tasksMax: Math.min(JOBS_IN_FLIGHT, partCount),
    advance: (_share, begun) =>
      Promise.all(
        begun.map(async (part) => {
          if (signal.aborted) throw new RunStopped();
          const { result } = await client.run({ part, partCount, load, options: recording });
          return readPackedPart(part, await takePart(client, part, result));
        }),
      ),
    close: async () => {
      signal.removeEventListener("abort", stop);
      await client.close();
    },
  };
}

/** Takes a part from the server. @param pieceCount  as its worker has stored it */
async function takePart(client: PartsClient, part: number, pieceCount: number): Promise<PackedPart> {
  const { redis, jobFiles } = client;
  const key = partKey(jobFiles.studyKey, part);
  const pieces = await redis.lrangeBuffer(key, 0, -1);
  if (pieces.length !== pieceCount) throw client.error("has lost data");
  await redis.del(key);
  return pieces;
}
