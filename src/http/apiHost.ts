import type { EpochMs } from "../base/time.ts";
import type { Answer, ApiRequest, RequestContext } from "../endpoints/route.ts";
import type { ClockRecord } from "../session/clockRecord.ts";
import type { Credential } from "../session/credentialList.ts";
import type { KeyedCommand } from "../session/session.ts";
import type { Rewindable, SessionListener } from "../session/sessionListener.ts";

/** Whose token set it is (docs/model/apis.md#tokens). */
export type TokenHolder = Pick<Credential, "kind" | "id">;

/**
 * What the HTTP face needs of a session (`session/Session` is one). All its times are simulated.
 *
 * Nothing of HTTP goes inward: a request has been admitted (token, id, rate, idempotency) when `answer` sees it.
 */
export interface ApiHost {
  /** The simulated instant at which a request that arrives now is answered. */
  readonly nowMs: EpochMs;
  /** Every VPP and site of the scenario with its refresh token; does not change while the session lasts. */
  readonly credentials: readonly (TokenHolder & Pick<Credential, "refreshToken">)[];
  isRevoked(refreshToken: string): boolean;
  clock(): ClockRecord;
  /** Events that the world has handled. */
  readonly eventCount: number;
  /** What reads read, at the instant the world has reached: for listeners, in the middle of an advance. */
  readonly context: RequestContext;
  /**
   * Answers one call. A command's answer comes when the journal has it on the disk.
   *
   * @param keyed  of a command with an Idempotency-Key
   */
  answer(request: ApiRequest, keyed?: KeyedCommand): Answer | Promise<Answer>;
  /** Tells a part of the face that time goes on. */
  addListener(listener: SessionListener): void;
  /** State that goes back with a checkpoint, and is emptied by a reset (docs/model/sandbox.md#checkpoints). */
  addRewindable(part: Rewindable): void;
}
