import type { EpochMs } from "../base/time.ts";
import type { Answer, ApiRequest, RequestContext } from "../requests/route.ts";
import type { Observer } from "../world/observer.ts";

/** Whose token set it is: a VPP's serves the VPP API, a site's both site APIs (decisions.md 98). */
export type HolderKind = "vpp" | "site";

export interface Holder {
  readonly kind: HolderKind;
  /** 32 lowercase hex digits. */
  readonly id: string;
}

export interface Credential extends Holder {
  readonly refreshToken: string;
}

/**
 * What the HTTP face needs of a session. All its times are simulated.
 *
 * Nothing of HTTP goes inward: a request has been admitted (token, id, rate, idempotency) when `answer` sees it.
 */
export interface ApiHost {
  /** The simulated instant at which a request that arrives now is answered. */
  readonly nowMs: EpochMs;
  /** Every VPP and site of the scenario with its refresh token; does not change while the session lasts. */
  readonly credentials: readonly Credential[];
  isRevoked(refreshToken: string): boolean;
  clock(): ClockRecord;
  /** Events that the world has handled. */
  readonly eventCount: number;
  /** What reads read, at the instant the world has reached: for listeners, in the middle of an advance. */
  readonly context: RequestContext;
  /**
   * Answers one call. A command's answer comes when the journal has it on the disk.
   *
   * @param idempotencyKey  kept in the journal, so that a key outlives a crash together with its command
   */
  answer(request: ApiRequest, idempotencyKey?: string): Answer | Promise<Answer>;
  /** Tells a part of the face that time goes on. */
  watch(listener: SessionListener): void;
  /** State that goes back with a checkpoint, and is emptied by a reset (decisions.md 135). */
  keep(part: Rewindable): void;
}

/** A part whose state belongs to an instant of the session. */
export interface Rewindable {
  /** Unique among the parts; the key under which a checkpoint has its state. */
  readonly name: string;
  /** JSON that `restore` takes. */
  save(): unknown;
  /** @param state  what `save` gave, or `undefined` for the state at the start */
  restore(state: unknown): void;
}

/** The record of `GET /sandbox/clock` (decisions.md 136). */
export interface ClockRecord {
  readonly now: string;
  readonly mode: "paused" | "running";
  readonly speed: number | "max";
  readonly achieved_speed: number;
  readonly lag_seconds: number;
  readonly scenario_end: string;
}
/** One entry of `GET /sandbox/faults`. */
export type FaultRecord = Readonly<Record<string, unknown>>;

/** Hears what happens in a session; never changes it, and returns at once. */
export interface SessionListener {
  /** Composed, last, into every world that the session builds; while a journal is replayed its calls are left out. */
  readonly observer: Observer;
  /** The next instant at which `settled` is wanted (`Infinity`: none): the world is run no further in one go. */
  nextTickMs(afterMs: EpochMs): EpochMs;
  /** Everything due at the instant has been done: after each slice of time and after each command. */
  settled(nowMs: EpochMs): void;
  clock(record: ClockRecord): void;
  /** A fault began or was ended through the sandbox. */
  fault(record: FaultRecord): void;
  /** A reset or a restore put another world in place. */
  rewound(): void;
}
