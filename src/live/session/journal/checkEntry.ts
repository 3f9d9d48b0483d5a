import type { TSchema } from "typebox";
import { shapeRefusal } from "../../../api/endpoints/shared/shapeProblems.ts";
import {
  enumOf,
  integer,
  optional,
  percentage,
  positiveNumber,
  strictObject,
  string,
} from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import type { EpochMs } from "../../../base/time.ts";
import { FAULT_KINDS } from "../../../inputs/scenario/schema/injectSchema.ts";
import { CLOCK_CHANGES } from "../clockChange.ts";
import { decodeEntry, type JournalEntry } from "./journalEntry.ts";

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
  limitPct: optional(percentage()),
  reason: optional(enumOf(["fit_curtailment", "non_firm_congestion", "manual", "other"])),
});

const INJECT = strictObject({
  kind: enumOf(FAULT_KINDS),
  site: string(),
  at: optional(instantMs()),
  when: optional(Type.Object({})),
  duration: optional(positiveMs()),
  limit_pct: optional(percentage()),
  reason: optional(enumOf(["fit_curtailment", "non_firm_congestion", "manual", "other"])),
});

const AT = { at_ms: instantMs() };

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
  inject: Type.Object({ ...AT, inject: INJECT }),
  inject_cancel: Type.Object({ ...AT, inject_id: string() }),
  owner_call: Type.Object({ ...AT, site: string(), delay_ms: integer(0, MS_MAX) }),
  checkpoint: Type.Object({ ...AT, label: Type.Union([string(), Type.Null()]), beside: Type.Object({}) }),
  // These entries have no instant, so their keys are checked strictly.
  restore: strictObject({ kind: string(), checkpoint_id: string() }),
  reset: strictObject({ kind: string() }),
  revoke: strictObject({ kind: string(), token_sha256: string() }),
  action: Type.Object({ ...AT, action: string(), text: string() }),
  note: Type.Object({ ...AT, text: string() }),
  end: Type.Object(AT),
};

/** The entry of a journal record, or `null` for one that a session of this scenario has not written. */
export function checkEntry(
  json: Buffer,
  { endMs, siteNames, atMs, hasCheckpoint }: JournalReferences,
): JournalEntry | null {
  const entry = decodeEntry(json);
  if (!Object.hasOwn(ENTRY_SCHEMAS, entry.kind) || shapeRefusal(ENTRY_SCHEMAS[entry.kind], entry) !== null) return null;
  const site =
    entry.kind === "fault"
      ? entry.fault.site
      : entry.kind === "inject"
        ? entry.inject.site
        : entry.kind === "owner_call"
          ? entry.site
          : null;
  const isKnown =
    (!("at_ms" in entry) || (atMs <= entry.at_ms && entry.at_ms <= endMs)) &&
    (entry.kind !== "restore" || hasCheckpoint(entry.checkpoint_id)) &&
    (site === null || siteNames.has(site));
  return isKnown ? entry : null;
}
