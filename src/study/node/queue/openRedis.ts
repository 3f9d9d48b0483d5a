import type { Redis } from "ioredis";
import { errorCode } from "../../../base/errorCode.ts";
import { inputRefusal } from "../../../base/inputError.ts";
import { withAbort } from "../../withAbort.ts";
import { QueueError, type QueueTimings } from "./queueNames.ts";

/** The optional packages, and an open connection. */
export interface RedisConnection {
  readonly bullmq: typeof import("bullmq");
  readonly redis: Redis;
  /** For messages: without the password. */
  readonly address: string;
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
  const refusal = await withAbort(refusedCommand(redis), AbortSignal.timeout(CONNECT_MS)).catch(() => null);
  if (refusal !== null) {
    redis.disconnect();
    throw connectionError(
      `${address}, whose user may not do what a study needs: ${refusal}`,
      `a user that may: ${ACL_RULES}`,
    );
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
  return { bullmq, redis, address, close };
}

const ACL_RULES = "ACL SETUSER <name> on ><password> ~vppsim-study:* ~bull:* &* +@all";
const [FILES_KEY, QUEUE_KEY] = ["vppsim-study:permissions", "bull:vppsim-permissions"];
const SCRIPT =
  'redis.call("ZADD", KEYS[1], 1, "x"); redis.call("DEL", KEYS[1]); return redis.call("XADD", KEYS[1], "*", "x", "1")';

/** Commands of studies, workers and their queue, which a user of a shared server may lack. */
const COMMANDS: readonly (readonly [name: string, ...words: string[]])[] = [
  ["PING"],
  ["INFO"],
  ["CLIENT", "LIST"],
  ["MULTI"],
  ["EXEC"],
  ["HSET", FILES_KEY, "x", "1"],
  ["EXPIRE", FILES_KEY, "1"],
  ["HGETALL", FILES_KEY],
  ["DEL", FILES_KEY],
  ["EVAL", SCRIPT, "1", QUEUE_KEY],
  ["XREAD", "STREAMS", QUEUE_KEY, "0"],
  ["DEL", QUEUE_KEY],
];

/** What the server answers to the first command that its user may not run; `null`: all may be run. */
async function refusedCommand(redis: Redis): Promise<string | null> {
  for (const [name, ...words] of COMMANDS) {
    const answer = await redis.call(name, ...words).catch((error: Error) => error);
    if (answer instanceof Error && /NOPERM|user executing the script/.test(answer.message))
      return `${[name, ...words].filter((word) => word !== SCRIPT).join(" ")}: ${answer.message}`;
  }
  return null;
}

const connectionError = (found: string, allowed: string) => inputRefusal("--redis", found, allowed);

/**
 * The address of a Redis server for messages: without the user, the password and the options of its URL.
 *
 * An address that cannot be parsed is not shown at all, since a password can be anywhere in it.
 */
export function redactRedisUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || parsed.host === "" || `${parsed.pathname}${parsed.search}${parsed.hash}`.includes("@"))
    return "the address given by --redis";
  return `${parsed.protocol}//${parsed.host}`;
}

interface RedisWatchOptions {
  /** For messages: without the password. */
  readonly address: string;
  readonly timings: QueueTimings;
  /** What happens when the server is gone for good, for the last message. */
  readonly consequence: string;
  readonly warn: (text: string) => void;
}

/**
 * Polls a Redis server. The client itself reconnects without limit, and a server that hangs does not even close the
 * connection.
 */
export class RedisWatch {
  private readonly redis: Redis;
  private readonly options: RedisWatchOptions;
  private readonly loss = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private isWaiting = false;
  /** Polls without an answer. They are counted, since this thread may have been busy for longer than the limit. */
  private misses = 0;
  private isWarned = false;

  constructor(redis: Redis, options: RedisWatchOptions) {
    this.redis = redis;
    this.options = options;
    // not simulated: watches the server.
    this.timer = setInterval(() => this.poll(), options.timings.pollMs);
  }

  /** Aborted with a `QueueError` once the server is gone. */
  get disconnected(): AbortSignal {
    return this.loss.signal;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private poll(): void {
    if (this.isWaiting) return this.miss();
    this.isWaiting = true;
    this.redis
      .ping()
      .then(
        () => this.answered(),
        () => this.miss(),
      )
      .finally(() => {
        this.isWaiting = false;
      });
  }

  private answered(): void {
    this.misses = 0;
    if (this.isWarned) this.options.warn(`the Redis server ${this.options.address} answers again`);
    this.isWarned = false;
  }

  private miss(): void {
    const { address, consequence, warn, timings } = this.options;
    const missesMax = Math.ceil(timings.giveUpMs / timings.pollMs);
    const limitS = timings.giveUpMs / 1000;
    this.misses++;
    if (this.misses === WARNED_MISSES) {
      this.isWarned = true;
      warn(`the Redis server ${address} does not answer; waiting up to ${limitS} s for it`);
    }
    if (this.misses < missesMax) return;
    this.close();
    this.loss.abort(new QueueError(`the Redis server ${address} has not answered for ${limitS} s; ${consequence}`));
  }
}

/** Polls without an answer before a warning: one may only be slow. */
const WARNED_MISSES = 2;
