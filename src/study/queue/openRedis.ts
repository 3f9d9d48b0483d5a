import type { Redis } from "ioredis";
import { errorCode } from "../../base/errorCode.ts";
import { inputRefusal } from "../../scenario/parse/inputError.ts";
import { withAbort } from "../withAbort.ts";
import { redactRedisUrl } from "./redactRedisUrl.ts";

/** The optional packages, and an open connection. */
export interface RedisConnection {
  readonly bullmq: typeof import("bullmq");
  readonly redis: Redis;
  /** Disconnects this connection and its duplicates for good. Otherwise they reconnect and keep the process alive. */
  readonly close: () => void;
}

const CONNECT_MS = 5_000;

/** @throws InputErrors when the packages are not installed or the server does not answer */
export async function openRedis(url: string): Promise<RedisConnection> {
  const [bullmq, ioredis] = await Promise.all([import("bullmq"), import("ioredis")]).catch(() => {
    throw connectionError(
      "the packages bullmq and ioredis are not installed",
      "both packages (npm install bullmq ioredis)",
    );
  });
  const address = redactRedisUrl(url);
  let reconnects = false;
  const redis: Redis = new ioredis.Redis(url, {
    maxRetriesPerRequest: null,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    // Reconnects after a lost connection; fails at once where there never was one.
    retryStrategy: (times): number | null => (reconnects ? Math.min(200 * times, 5_000) : null),
  });
  let reason = `no answer within ${CONNECT_MS / 1000} s`;
  redis.on("error", (error: Error) => {
    reason = error.message || String(errorCode(error));
  });
  try {
    // A server that hangs accepts the connection and never answers.
    await withAbort(redis.connect(), AbortSignal.timeout(CONNECT_MS));
    reconnects = true;
  } catch {
    redis.disconnect();
    throw connectionError(`${address}, which does not answer (${reason})`, "a Redis server, as redis://127.0.0.1:6379");
  }
  const connections = [redis];
  const duplicate = redis.duplicate.bind(redis);
  // The queue's library duplicates the connection. It gives up on a lazy duplicate that is lost while it connects.
  redis.duplicate = (options) => {
    const connection = duplicate({ ...options, lazyConnect: false });
    connections.push(connection);
    return connection;
  };
  const close = (): void => {
    reconnects = false;
    for (const connection of connections) connection.disconnect();
  };
  return { bullmq, redis, close };
}

const connectionError = (found: string, allowed: string) => inputRefusal("--redis", found, allowed);
