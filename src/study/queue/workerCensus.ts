import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { VERSION } from "../../version.ts";
import { RUN_QUEUE, RUN_QUEUE_PREFIX } from "./queueNames.ts";

/** Polls without a worker before a warning: workers need some seconds to reconnect to a server that was restarted. */
const POLLS_BEFORE_WARNING = 5;

interface WorkerCensusOptions {
  /** Of the server, for messages. */
  readonly address: string;
  readonly warn: (text: string) => void;
}

/** Warns when a study has no worker. */
export class WorkerCensus {
  readonly #queue: Queue;
  readonly #redis: Redis;
  readonly #options: WorkerCensusOptions;
  #pollsWithout = 0;
  #isWarned = false;

  constructor(queue: Queue, redis: Redis, options: WorkerCensusOptions) {
    this.#queue = queue;
    this.#redis = redis;
    this.#options = options;
  }

  /** Connected workers of this version. */
  async count(): Promise<number> {
    return (await this.#queue.getWorkers()).length;
  }

  /** Warns at once when no worker is connected at the start of a study. */
  async begin(): Promise<void> {
    if ((await this.count()) > 0) return;
    this.#isWarned = true;
    await this.#warn("no worker");
  }

  /** Warns once when the last worker has gone while jobs are pending. */
  async poll(pendingCount: number): Promise<void> {
    const hasWorkers = (await this.count()) > 0;
    this.#pollsWithout = hasWorkers || pendingCount === 0 ? 0 : this.#pollsWithout + 1;
    if (hasWorkers) this.#isWarned = false;
    if (this.#isWarned || this.#pollsWithout < POLLS_BEFORE_WARNING) return;
    this.#isWarned = true;
    await this.#warn("no more worker");
  }

  async #warn(found: string): Promise<void> {
    const others = await countOtherVersions(this.#redis);
    const beside = others === 0 ? "" : ` (${others} of other versions cannot run it)`;
    const { address, warn } = this.#options;
    warn(`${found} of vppsim ${VERSION} is connected${beside}; start one with vppsim worker --redis ${address}`);
  }
}

/** Workers name their connections after their queue. Some hosted servers do not list connections. */
async function countOtherVersions(redis: Redis): Promise<number> {
  const list = await redis.client("LIST").catch(() => "");
  const names = [...String(list).matchAll(/ name=bull:([A-Za-z0-9+/=]+) /g)];
  const queues = names.map(([, name]) => Buffer.from(name, "base64").toString());
  return queues.filter((queue) => queue.startsWith(RUN_QUEUE_PREFIX) && queue !== RUN_QUEUE).length;
}
