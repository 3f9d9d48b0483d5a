import type { TSchema } from "typebox";
import type { ApiRequest } from "../../../api/endpoints/route.ts";
import { shapeRefusal } from "../../../api/endpoints/shared/shapeProblems.ts";
import { enumOf, integer, optional, positiveNumber, strictObject, string } from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import type { EpochMs } from "../../../base/time.ts";
import { FAULT_KINDS, faultKeys } from "../../../inputs/scenario/schema/faultSchema.ts";
import { httpFaultAnswer, httpFaultMatch } from "../../../inputs/scenario/schema/httpFaultSchema.ts";
import { type InjectSpec, labelSchema } from "../../../inputs/scenario/schema/injectSchema.ts";
import type { AlarmAction } from "../../../inputs/scenario/sessionAlarms.ts";
import type { HttpFaultSpec } from "../clients/httpFaultBoard.ts";
import { CLOCK_CHANGES, type ClockChange } from "../clockChange.ts";
import type { FaultSpec } from "../fault.ts";
import type { PreparedMalfunction } from "../injects/preparedList.ts";
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

interface RequestEntry extends TimedEntry {
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
  /** The prepared malfunction that it comes from; absent: none. */
  readonly prepared_id?: string;
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

interface LabelEntry extends TimedEntry {
  readonly kind: "label";
  readonly award_id: string;
  /** `null`: it has none any more. */
  readonly label: string | null;
}

/** What a person does with an alarm. */
export interface AlarmEntry extends TimedEntry {
  readonly kind: "alarm";
  readonly id: string;
  readonly act: AlarmAction["act"];
  readonly by: AlarmAction["by"];
  readonly name: string | null;
  /** ISO 8601; `null`: the act is not `shelve`. */
  readonly until: string | null;
}

export interface CheckpointEntry extends TimedEntry {
  readonly kind: "checkpoint";
  readonly label: string | null;
  /** Absent in journals of older versions. */
  readonly state_hash?: string;
  /** State of servers, such as rate limits, that a restore also restores. */
  readonly beside: Readonly<Record<string, unknown>>;
}

interface RestoreEntry {
  readonly kind: "restore";
  readonly checkpoint_id: string;
}

/** The state of an initial condition, with the inputs that lead to it from the start of the scenario. */
export interface InitialConditionEntry {
  readonly kind: "initial_condition";
  readonly to_ms: EpochMs;
  readonly label: string | null;
  readonly inputs: readonly WorldInput[];
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

interface HttpFaultEntry extends TimedEntry {
  readonly kind: "http_fault";
  readonly http_fault: HttpFaultSpec;
}

interface HttpFaultEndEntry extends TimedEntry {
  readonly kind: "http_fault_end";
  readonly http_fault_id: string;
}

/** The prepared malfunctions, which a restore does not take back. */
interface PreparedEntry extends TimedEntry {
  readonly kind: "prepared";
  readonly prepared: readonly PreparedMalfunction[];
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
  | LabelEntry
  | CheckpointEntry
  | RestoreEntry
  | ResetEntry
  | InitialConditionEntry
  | RevokeEntry
  | ActionEntry
  | NoteEntry
  | HttpFaultEntry
  | HttpFaultEndEntry
  | PreparedEntry
  | EndEntry;

/** Entries of a branch, in order of arrival; all others concern the clock and the session. */
export type WorldInput = EventInput | SessionCommand;

/** Inputs that are events in an export. */
type EventInput = RequestEntry | FaultEntry | FaultEndEntry;

/** Inputs that an export lists with its session. */
export type SessionCommand = BoardInput | LabelEntry;

/** Inputs that have their effect through the injects, owner calls and alarms of the world. */
export type BoardInput = InjectEntry | InjectCancelEntry | OwnerCallEntry | AlarmEntry;

export const isBoardInput = (entry: JournalEntry): entry is BoardInput =>
  entry.kind === "inject" || entry.kind === "inject_cancel" || entry.kind === "owner_call" || entry.kind === "alarm";

export const isSessionCommand = (entry: JournalEntry): entry is SessionCommand =>
  isBoardInput(entry) || entry.kind === "label";

export const isWorldInput = (entry: JournalEntry): entry is WorldInput =>
  entry.kind === "request" || entry.kind === "fault" || entry.kind === "fault_end" || isSessionCommand(entry);

/** Longest record as JSON. The bounds of requests keep all records far below it. */
export const RECORD_BYTES_MAX = 1 << 26;

/** A record as bytes, as in its line and in memory. */
export const encodeJson = (record: JournalEntry | JournalHeader): Buffer => Buffer.from(JSON.stringify(record));

export const decodeEntry = (json: Buffer): JournalEntry => JSON.parse(json.toString()) as JournalEntry;

/** What the entries of a journal refer to. */
interface JournalReferences {
  /** End of the scenario. */
  readonly endMs: EpochMs;
  readonly siteNames: ReadonlySet<string>;
  /** Instant of the entry before on its branch. */
  readonly atMs: EpochMs;
  readonly hasCheckpoint: (id: string) => boolean;
}

const REQUEST = Type.Object({
  api: enumOf(["vpp-v1", "site-v2", "site-v1"]),
  id: string(),
  method: string(),
  path: string(),
  query: Type.Object({}),
});

/** The largest number of milliseconds that a `Date` takes. */
const MS_MAX = 8.64e15;
const instantMs = () => integer(-MS_MAX, MS_MAX);
const positiveMs = () => integer(1, MS_MAX);

const FAULT = strictObject({
  kind: enumOf(FAULT_KINDS),
  site: string(),
  durationMs: Type.Union([positiveMs(), Type.Null()]),
  limitPct: faultKeys.limit_pct,
  reason: faultKeys.reason,
  rampInMs: optional(integer(0, MS_MAX)),
  rampOutMs: optional(integer(0, MS_MAX)),
  sensor: faultKeys.sensor,
  offset: faultKeys.offset,
});

const INJECT = strictObject({
  kind: enumOf(FAULT_KINDS),
  site: string(),
  at: optional(instantMs()),
  when: optional(Type.Object({})),
  duration: optional(positiveMs()),
  ...faultKeys,
  ramp_in: optional(integer(0, MS_MAX)),
  ramp_out: optional(integer(0, MS_MAX)),
});

const PREPARED = strictObject({
  preparedId: string(),
  label: Type.Union([labelSchema, Type.Null()]),
  inject: INJECT,
  afterMs: Type.Union([positiveMs(), Type.Null()]),
  isArmed: Type.Boolean(),
});

const HTTP_FAULT = strictObject({
  match: httpFaultMatch,
  answer: httpFaultAnswer,
  durationMs: Type.Union([positiveMs(), Type.Null()]),
});

const AT = { at_ms: instantMs() };
/** An instant as `isoUtc` writes it. */
const INSTANT = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$";

const ENTRY_SCHEMAS: Readonly<Record<JournalEntry["kind"], TSchema>> = {
  clock: Type.Object({
    ...AT,
    mode: enumOf(["paused", "running"]),
    speed: Type.Union([positiveNumber(), enumOf(["max"])]),
    change: optional(
      strictObject({
        what: enumOf(CLOCK_CHANGES),
        by: Type.Union([enumOf(["trainee", "instructor"]), Type.Null()]),
        to_ms: optional(instantMs()),
      }),
    ),
  }),
  request: Type.Object({ ...AT, request: REQUEST, idempotency_key: optional(string()) }),
  fault: Type.Object({ ...AT, fault: FAULT }),
  fault_end: Type.Object({ ...AT, fault_id: string() }),
  inject: Type.Object({ ...AT, inject: INJECT, prepared_id: optional(string()) }),
  inject_cancel: Type.Object({ ...AT, inject_id: string() }),
  owner_call: Type.Object({ ...AT, site: string(), delay_ms: integer(0, MS_MAX) }),
  label: Type.Object({ ...AT, award_id: string(), label: Type.Union([labelSchema, Type.Null()]) }),
  alarm: Type.Object({
    ...AT,
    id: string(),
    act: enumOf(["acknowledge", "shelve", "unshelve"]),
    by: enumOf(["trainee", "instructor"]),
    name: Type.Union([string(), Type.Null()]),
    until: Type.Union([string({ pattern: INSTANT }), Type.Null()]),
  }),
  checkpoint: Type.Object({
    ...AT,
    label: Type.Union([string(), Type.Null()]),
    state_hash: optional(string()),
    beside: Type.Object({}),
  }),
  // These entries have no instant, so their keys are checked strictly.
  restore: strictObject({ kind: string(), checkpoint_id: string() }),
  reset: strictObject({ kind: string() }),
  initial_condition: strictObject({
    kind: string(),
    to_ms: instantMs(),
    label: Type.Union([string(), Type.Null()]),
    inputs: Type.Array(Type.Object({ kind: string() })),
  }),
  revoke: strictObject({ kind: string(), token_sha256: string() }),
  action: Type.Object({ ...AT, action: string(), text: string() }),
  note: Type.Object({ ...AT, text: string() }),
  http_fault: Type.Object({ ...AT, http_fault: HTTP_FAULT }),
  http_fault_end: Type.Object({ ...AT, http_fault_id: string() }),
  prepared: Type.Object({ ...AT, prepared: Type.Array(PREPARED) }),
  end: Type.Object(AT),
};

/** The input that a value is, or `null`: a session of this scenario could not have written it there. */
export function checkInput(value: unknown, references: Omit<JournalReferences, "hasCheckpoint">): WorldInput | null {
  if (typeof value !== "object" || value === null || !("kind" in value)) return null;
  const entry = checkEntry(Buffer.from(JSON.stringify(value)), { ...references, hasCheckpoint: () => false });
  return entry !== null && isWorldInput(entry) ? entry : null;
}

/** The entry of a journal record, or `null` for one that a session of this scenario has not written. */
export function checkEntry(
  json: Buffer,
  { endMs, siteNames, atMs, hasCheckpoint }: JournalReferences,
): JournalEntry | null {
  const entry = decodeEntry(json);
  if (!Object.hasOwn(ENTRY_SCHEMAS, entry.kind) || shapeRefusal(ENTRY_SCHEMAS[entry.kind], entry) !== null) return null;
  const isKnown =
    (!("at_ms" in entry) || (atMs <= entry.at_ms && entry.at_ms <= endMs)) &&
    (entry.kind !== "restore" || hasCheckpoint(entry.checkpoint_id)) &&
    (entry.kind !== "initial_condition" || areInputs(entry, { endMs, siteNames })) &&
    sitesOf(entry).every((site) => siteNames.has(site));
  return isKnown ? entry : null;
}

function areInputs(
  { inputs, to_ms }: InitialConditionEntry,
  { endMs, siteNames }: Pick<JournalReferences, "endMs" | "siteNames">,
): boolean {
  let atMs = -MS_MAX;
  return inputs.every((input) => {
    const isInput = checkInput(input, { endMs: Math.min(endMs, to_ms), siteNames, atMs }) !== null;
    atMs = input.at_ms;
    return isInput;
  });
}

/** The sites that an entry names. */
function sitesOf(entry: JournalEntry): readonly string[] {
  switch (entry.kind) {
    case "fault":
      return [entry.fault.site];
    case "inject":
      return [entry.inject.site];
    case "owner_call":
      return [entry.site];
    case "prepared":
      return entry.prepared.map(({ inject }) => inject.site);
    default:
      return [];
  }
}
