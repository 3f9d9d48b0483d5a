import type { EpochMs } from "../../base/time.ts";
import type { ApiRequest } from "../../endpoints/route.ts";
import type { FaultSpec } from "../fault.ts";
import type { Speed } from "../pace.ts";

/** Of the journal's lines; another number is refused. */
export const JOURNAL_FORMAT = 1;

/** What a session is about: its first line. A journal of another scenario, seed or opening instant is not continued. */
export interface JournalHeader {
  readonly kind: "journal";
  readonly format: number;
  readonly version: string;
  readonly scenario: string;
  readonly hash: string;
  readonly seed: number;
  /** Where the simulated clock of the session started: `--open-at`, or the scenario's start. */
  readonly open_ms: EpochMs;
  /** Access tokens are signed with it (docs/model/sandbox.md#sandbox-access). */
  readonly signing_key: string;
}

interface TimedEntry {
  readonly at_ms: EpochMs;
}

/** How the clock stands: after each command of the clock, and once a second while it runs (docs/model/sandbox.md#clock-marks). */
export interface ClockEntry extends TimedEntry {
  readonly kind: "clock";
  readonly mode: "paused" | "running";
  readonly speed: Speed;
}

export interface RequestEntry extends TimedEntry {
  readonly kind: "request";
  readonly request: ApiRequest;
  readonly idempotency_key?: string;
}

export interface FaultEntry extends TimedEntry {
  readonly kind: "fault";
  readonly fault: FaultSpec;
}

export interface FaultEndEntry extends TimedEntry {
  readonly kind: "fault_end";
  readonly fault_id: string;
}

export interface CheckpointEntry extends TimedEntry {
  readonly kind: "checkpoint";
  readonly label: string | null;
  /** What servers keep beside the world, such as rate buckets, and what goes back with it. */
  readonly beside: Readonly<Record<string, unknown>>;
}

export interface RestoreEntry {
  readonly kind: "restore";
  readonly checkpoint_id: string;
}

export interface ResetEntry {
  readonly kind: "reset";
}

export interface RevokeEntry {
  readonly kind: "revoke";
  readonly token_sha256: string;
}

/** The session was ended in good order. */
export interface EndEntry extends TimedEntry {
  readonly kind: "end";
}

export type JournalEntry =
  | ClockEntry
  | RequestEntry
  | FaultEntry
  | FaultEndEntry
  | CheckpointEntry
  | RestoreEntry
  | ResetEntry
  | RevokeEntry
  | EndEntry;

/** What acts on the world, in order of arrival: the rest of a journal is about the clock and the session. */
export type WorldInput = RequestEntry | FaultEntry | FaultEndEntry;

export const isWorldInput = (entry: JournalEntry): entry is WorldInput =>
  entry.kind === "request" || entry.kind === "fault" || entry.kind === "fault_end";
