import { canonicalJson } from "../../base/canonicalJson.ts";
import { sha256Hex } from "../../base/ids.ts";
import type { EpochMs } from "../../base/time.ts";
import { IDEMPOTENCY_RETENTION_MS } from "../../session/replay.ts";
import type { Rewindable } from "../../session/sessionListener.ts";

const KEY_PATTERN = /^[\x20-\x7e]{1,128}$/;

/** 1 to 128 printable ASCII characters, blanks included. */
export const isIdempotencyKey = (key: string): boolean => KEY_PATTERN.test(key);

/** An answer as sent, byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  readonly text: string;
}

interface StoredEntry extends StoredAnswer {
  readonly key: string;
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
export const isStored = ({ status }: { readonly status: number }): boolean => 200 <= status && status <= 299;

/** Successful answers by VPP or site id and idempotency key. */
export class IdempotencyStore implements Rewindable {
  readonly name = "idempotency";
  /** In order of storing, so that expired entries are at the front. */
  #entries = new Map<string, StoredEntry>();

  lookUp(id: string, key: string, fingerprint: string, nowMs: EpochMs): KeyLookup {
    const entry = this.#entries.get(`${id} ${key}`);
    if (entry === undefined || entry.atMs + IDEMPOTENCY_RETENTION_MS <= nowMs) return { result: "new" };
    return entry.fingerprint === fingerprint ? { result: "replay", answer: entry } : { result: "conflict" };
  }

  /** Stores an answer if `isStored`. */
  storeAnswer(id: string, key: string, fingerprint: string, answer: StoredAnswer, nowMs: EpochMs): void {
    if (!isStored(answer)) return;
    for (const [name, { atMs }] of this.#entries) {
      if (nowMs < atMs + IDEMPOTENCY_RETENTION_MS) break;
      this.#entries.delete(name);
    }
    const name = `${id} ${key}`;
    this.#entries.delete(name);
    this.#entries.set(name, { key: name, fingerprint, ...answer, atMs: nowMs });
  }

  save(): readonly StoredEntry[] {
    return [...this.#entries.values()];
  }

  restore(state: unknown): void {
    this.#entries = new Map(((state ?? []) as readonly StoredEntry[]).map((entry) => [entry.key, entry]));
  }
}
