import { canonicalJson } from "../../../base/canonicalJson.ts";
import { sha256Hex } from "../../../base/ids.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { RecoveredCommand } from "../../../live/session/keyedCommand.ts";
import { IDEMPOTENCY_RETENTION_MS } from "../../../live/session/replay.ts";
import type { Rewindable } from "../../../live/session/sessionListener.ts";
import type { Route } from "../../endpoints/route.ts";
import { findRoute } from "../../endpoints/routes.ts";

const KEY_PATTERN = /^[\x20-\x7e]{1,128}$/;

/** 1 to 128 printable ASCII characters, blanks included. */
export const isIdempotencyKey = (key: string): boolean => KEY_PATTERN.test(key);

/** An answer as sent, byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  readonly text: string;
}

interface StoredEntry extends StoredAnswer {
  readonly fingerprint: string;
  readonly atMs: EpochMs;
}

/** Result of looking up a request's key. */
type KeyLookup =
  | { readonly result: "new" }
  | { readonly result: "replay"; readonly answer: StoredAnswer }
  | { readonly result: "conflict" };

/**
 * Identifies a request by operation and parsed JSON body, so that key order and white space do not matter
 * (docs/model/apis.md#idempotency).
 */
export const fingerprintOf = (operationId: string, body: unknown): string =>
  sha256Hex(`${operationId} ${canonicalJson(body)}`);

/** Whether an answer is stored; after other answers the key may be used again. */
const isStored = ({ status }: { readonly status: number }): boolean => 200 <= status && status <= 299;

/** An answer with what identifies its request. */
export interface KeyedAnswer {
  readonly id: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly answer: StoredAnswer;
}

/** The answer that the store keeps of a replayed command; `null`: none. */
export function keyedAnswerOf(
  { operationId }: Pick<Route, "operationId">,
  { request, idempotencyKey: key, answer }: RecoveredCommand,
): KeyedAnswer | null {
  const { api, id, body } = request;
  if (key === null || !isStored(answer)) return null;
  return {
    id,
    key,
    fingerprint: fingerprintOf(`${api} ${operationId}`, body),
    answer: { status: answer.status, text: JSON.stringify(answer.body) },
  };
}

/** By id and key, in order of storing, so that expired entries are at the front. */
type Entries = Map<string, StoredEntry>;

/**
 * Successful answers by VPP or site id and idempotency key.
 *
 * A checkpoint does not save them: they follow from the commands of its branch (docs/model/sandbox.md#checkpoints).
 */
export class IdempotencyStore implements Rewindable {
  readonly name = "idempotency";
  private entries: Entries = new Map();
  /** Answers of the branch that a replay executes. */
  private collected: Entries = new Map();

  lookUp(id: string, key: string, fingerprint: string, nowMs: EpochMs): KeyLookup {
    const entry = this.entries.get(`${id} ${key}`);
    if (entry === undefined || entry.atMs + IDEMPOTENCY_RETENTION_MS <= nowMs) return { result: "new" };
    return entry.fingerprint === fingerprint ? { result: "replay", answer: entry } : { result: "conflict" };
  }

  /** Stores an answer if `isStored`. */
  storeAnswer(id: string, key: string, fingerprint: string, answer: StoredAnswer, nowMs: EpochMs): void {
    if (!isStored(answer)) return;
    for (const [name, { atMs }] of this.entries) {
      if (nowMs < atMs + IDEMPOTENCY_RETENTION_MS) break;
      this.entries.delete(name);
    }
    putLast(this.entries, `${id} ${key}`, { fingerprint, ...answer, atMs: nowMs });
  }

  save(): undefined {}

  collect(): (command: RecoveredCommand) => void {
    const collected: Entries = new Map();
    this.collected = collected;
    return (command) => {
      const { api, method, path } = command.request;
      const found = command.idempotencyKey === null ? undefined : findRoute(api, method, path);
      const keyed = found === undefined ? null : keyedAnswerOf(found.route, command);
      if (keyed === null) return;
      const { id, key, fingerprint, answer } = keyed;
      putLast(collected, `${id} ${key}`, { fingerprint, ...answer, atMs: command.atMs });
    };
  }

  restore(): void {
    this.entries = this.collected;
    this.collected = new Map();
  }
}

function putLast(entries: Entries, name: string, entry: StoredEntry): void {
  entries.delete(name);
  entries.set(name, entry);
}
