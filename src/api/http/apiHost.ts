import type { EpochMs } from "../../base/time.ts";
import type { SessionAlarms } from "../../live/session/alarms/sessionAlarms.ts";
import type { RequestLog } from "../../live/session/clients/requestLog.ts";
import type { SessionHttpFaults } from "../../live/session/clients/sessionHttpFaults.ts";
import type { KeyedCommand } from "../../live/session/keyedCommand.ts";
import type { ClockRecord } from "../../live/session/sandboxCommands.ts";
import type { Rewindable, SessionListener } from "../../live/session/sessionListener.ts";
import type { Credential } from "../../live/session/tokenSecrets.ts";
import type { Answer, ApiRequest, RequestContext } from "../endpoints/route.ts";
import type { MatchedRoute } from "../endpoints/routes.ts";

/** The VPP or site that a token belongs to (docs/model/apis.md#tokens). */
export type TokenHolder = Pick<Credential, "kind" | "id">;

/**
 * What the HTTP layer requires of a session (`session/Session` implements it). All times are simulated.
 *
 * The host is independent of HTTP: token, id, rate limit and idempotency are checked before `answer` is called.
 */
export interface ApiHost {
  /** The simulated instant at which a request that arrives now is answered. */
  readonly nowMs: EpochMs;
  /** Every VPP and site of the scenario with its refresh token; constant during a session. */
  readonly credentials: readonly (TokenHolder & Pick<Credential, "refreshToken">)[];
  /** @param tokenSha256  of a refresh token, hexadecimal */
  isRevoked(tokenSha256: string): boolean;
  clock(): ClockRecord;
  /** Events processed by the world. */
  readonly eventCount: number;
  /** Context of reads at the instant that the world has reached, also for listeners during an advance. */
  readonly context: RequestContext;
  /** Whether nothing is visible that is not on disk; false also after a failure. */
  readonly isCommitted: boolean;
  /** Resolves when nothing is visible that is not on disk; rejects after a failure. */
  committed(): Promise<void>;
  /**
   * Answers one call. The answer to a command resolves after the journal has been written to disk.
   *
   * @param keyed  for a command with an Idempotency-Key
   * @param match  absent: the route is looked up
   * @throws KeyAnsweredError if the key has an answer when the command is about to act
   */
  answer(request: ApiRequest, keyed?: KeyedCommand, match?: MatchedRoute): Answer | Promise<Answer>;
  /** Faults that hit requests of clients. */
  readonly httpFaults: Pick<SessionHttpFaults, "take" | "takeOpen" | "onBegin">;
  /** What clients requested. */
  readonly requestLog: Pick<RequestLog, "add">;
  /** Changes of alarms; absent: a host without alarms. */
  readonly alarms?: Pick<SessionAlarms, "lastSeq" | "nextDueMs" | "changesAfter">;
  /** Adds a listener for the progress of the session. */
  addListener(listener: SessionListener): void;
  /** Adds state that a checkpoint saves and restores, and a reset clears (docs/model/sandbox.md#checkpoints). */
  addRewindable(part: Rewindable): void;
}
