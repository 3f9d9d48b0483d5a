import type { Redis } from "ioredis";
import type { PartsOptions } from "../../accounting/partsRun.ts";
import type { PartsHost } from "../../report/parts/runParts.ts";
import { RunStopped } from "../../report/runStopped.ts";
import type { LoadOptions } from "../../scenario/loadScenario.ts";
import { type PackedPart, readPackedPart } from "./packedPart.ts";
import { JOBS_IN_FLIGHT, QueueClient, type QueueClientOptions } from "./queueClient.ts";
import { QueueError } from "./queueError.ts";
import { isStoredPart, type JobFiles, partKey, piecesDigestOf, type QueuedPart } from "./queueNames.ts";

export interface QueuePartsOptions extends QueueClientOptions {
  /** With which the scenario was built; workers build it in the same way. */
  readonly load: LoadOptions;
  /** Stops the run. */
  readonly signal: AbortSignal;
}

/**
 * Hosts that run parts of a world in `vppsim worker` processes (docs/model/parts.md#redis).
 *
 * @throws InputErrors when the server is unreachable; QueueError when it stops answering
 */
export async function openQueuePartsHosts(
  { load, signal, ...options }: QueuePartsOptions,
  recording: PartsOptions,
  partCount: number,
): Promise<readonly PartsHost[]> {
  const client = await QueueClient.open<Omit<QueuedPart, keyof JobFiles>, PackedPart>(options, {
    one: "a part",
    what: "parts of this run",
    remedy: "run again",
    consequence: "no report was written",
    read: takePart,
  });
  const stop = () => client.failAll(new RunStopped());
  signal.addEventListener("abort", stop, { once: true });
  let open = Math.min(JOBS_IN_FLIGHT, partCount);
  const host: PartsHost = {
    advance: (_share, begun) =>
      Promise.all(
        begun.map(async (part) => {
          if (signal.aborted) throw new RunStopped();
          const { result } = await client.run({ part, partCount, load, options: recording });
          return readPackedPart(part, result);
        }),
      ),
    close: async () => {
      if (--open > 0) return;
      signal.removeEventListener("abort", stop);
      await client.close();
    },
  };
  return Array.from({ length: open }, () => host);
}

/** Takes a part from the server; `null` where the server has lost it. */
async function takePart(redis: Redis, { studyKey, part }: QueuedPart, returned: unknown): Promise<PackedPart | null> {
  if (!isStoredPart(returned)) throw new QueueError("a part of the run has a result that is none; a worker is broken");
  const key = partKey(studyKey, part);
  const pieces = await redis.lrangeBuffer(key, 0, -1);
  if (pieces.length !== returned.pieces) return null;
  if (piecesDigestOf(pieces) !== returned.sha256)
    throw new QueueError(
      "a part of the run is not as a worker has stored it; somebody has changed data on the Redis server",
    );
  await redis.del(key);
  return pieces;
}
