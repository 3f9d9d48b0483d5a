import type { ApiRequest } from "../../../api/endpoints/route.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { InjectSpec } from "../../../inputs/scenario/schema/injectSchema.ts";
import type { ClockChange } from "../clockChange.ts";
import type { FaultSpec } from "../fault.ts";
import type { Speed } from "../pace.ts";

/** Format of the journal's lines; any other number is refused. */
export const JOURNAL_FORMAT = 1;

/** First line of a journal. A journal of another scenario, seed or opening instant is not continued. */
export interface JournalHeader {
  readonly kind: "journal";
  readonly format: number;
  readonly version: string;
  readonly scenario: string;
  readonly hash: string;
  readonly seed: number;
  /** Start of the session's simulated clock: `--open-at`, or the scenario's start. */
  readonly open_ms: EpochMs;
  /** Key that signs access tokens (docs/model/sandbox.md#sandbox-access). */
  readonly signing_key: string;
  /** Digest of the drill; absent: the session is no drill. */
  readonly drill?: string;
}

interface TimedEntry {
  readonly at_ms: EpochMs;
}

/**
 * State of the clock, recorded after each command of the clock, and once a second while it runs
 * (docs/model/sandbox.md#clock-marks).
 */
export interface ClockEntry extends TimedEntry {
  readonly kind: "clock";
  readonly mode: "paused" | "running";
  readonly speed: Speed;
  /** Absent: a mark of how far the clock has come. */
  readonly change?: ClockChange | undefined;
}

export interface RequestEntry extends TimedEntry {
  readonly kind: "request";
  readonly request: ApiRequest;
  readonly idempotency_key?: string;
}

interface FaultEntry extends TimedEntry {
  readonly kind: "fault";
  readonly fault: FaultSpec;
}

interface FaultEndEntry extends TimedEntry {
  readonly kind: "fault_end";
  readonly fault_id: string;
}

interface InjectEntry extends TimedEntry {
  readonly kind: "inject";
  readonly inject: InjectSpec;
}

interface InjectCancelEntry extends TimedEntry {
  readonly kind: "inject_cancel";
  readonly inject_id: string;
}

interface OwnerCallEntry extends TimedEntry {
  readonly kind: "owner_call";
  readonly site: string;
  readonly delay_ms: number;
}

export interface CheckpointEntry extends TimedEntry {
  readonly kind: "checkpoint";
  readonly label: string | null;
  /** State of servers, such as rate limits, that a restore also restores. */
  readonly beside: Readonly<Record<string, unknown>>;
}

interface RestoreEntry {
  readonly kind: "restore";
  readonly checkpoint_id: string;
}

interface ResetEntry {
  readonly kind: "reset";
}

/** What a person did on the page. */
interface ActionEntry extends TimedEntry {
  readonly kind: "action";
  readonly action: string;
  readonly text: string;
}

/** A note of the instructor. */
interface NoteEntry extends TimedEntry {
  readonly kind: "note";
  readonly text: string;
}

interface RevokeEntry {
  readonly kind: "revoke";
  readonly token_sha256: string;
}

/** Orderly end of the session. */
interface EndEntry extends TimedEntry {
  readonly kind: "end";
}

export type JournalEntry =
  | ClockEntry
  | RequestEntry
  | FaultEntry
  | FaultEndEntry
  | BoardInput
  | CheckpointEntry
  | RestoreEntry
  | ResetEntry
  | RevokeEntry
  | ActionEntry
  | NoteEntry
  | EndEntry;

/** Entries that act on the world, in order of arrival; all others concern the clock and the session. */
export type WorldInput = RequestEntry | FaultEntry | FaultEndEntry | BoardInput;

/** Inputs that have their effect through the injects and owner calls of the world. */
export type BoardInput = InjectEntry | InjectCancelEntry | OwnerCallEntry;

export const isBoardInput = (entry: JournalEntry): entry is BoardInput =>
  entry.kind === "inject" || entry.kind === "inject_cancel" || entry.kind === "owner_call";

export const isWorldInput = (entry: JournalEntry): entry is WorldInput =>
  entry.kind === "request" || entry.kind === "fault" || entry.kind === "fault_end" || isBoardInput(entry);

/** Longest record as JSON. The bounds of requests keep all records far below it. */
export const RECORD_BYTES_MAX = 1 << 26;

/** A record as bytes, as in its line and in memory. */
export const encodeJson = (record: JournalEntry | JournalHeader): Buffer => Buffer.from(JSON.stringify(record));

export const decodeEntry = (json: Buffer): JournalEntry => JSON.parse(json.toString()) as JournalEntry;
