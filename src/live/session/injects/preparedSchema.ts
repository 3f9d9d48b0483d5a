import { listOf, nullable, oneOf, optional, record } from "../../../api/endpoints/schemas/baseSchemas.ts";
import { arrayOf, positiveDuration, strictObject, string } from "../../../base/schemaBuilders.ts";
import { Type } from "../../../base/schemaType.ts";
import { FAULT_KINDS } from "../../../inputs/scenario/schema/faultSchema.ts";
import { conditionSchema, injectSchema, labelSchema } from "../../../inputs/scenario/schema/injectSchema.ts";
import { faultFields, type InjectCondition } from "../sandboxCommands.ts";
import { described, flag, instant, text, type Values } from "../sandboxParts.ts";

const VERSION = Type.Integer({ minimum: 1, maximum: 1, description: "Of the format of the list" });
const ID = { description: "`prepared-<n>`; given by the server" };
const AFTER = "From arming, or from the instant to which the session has gone back";

/** A malfunction to be prepared: the keys of an inject, with one of `at`, `after` and `when`. */
export const PreparedRequest = strictObject({
  label: optional(nullable(labelSchema)),
  ...injectSchema.properties,
  after: optional(nullable(positiveDuration({ description: AFTER }))),
  armed: optional(flag("Default false")),
});

/** A row of the file; the ids are given anew. */
const PreparedFileRow = strictObject({
  prepared_id: optional(string(ID)),
  ...PreparedRequest.properties,
  inject_id: optional(nullable(string())),
});
export type PreparedFileRow = Values<typeof PreparedFileRow>;

export const PreparedFile = strictObject({
  version: VERSION,
  scenario: string({ description: "Name of the scenario" }),
  prepared: arrayOf(PreparedFileRow),
});
export type PreparedFile = Values<typeof PreparedFile>;

/** A prepared malfunction (docs/model/drills.md#prepared), with the keys of an inject as in a file. */
export const PreparedRecord = record({
  prepared_id: string(ID),
  label: nullable(text),
  kind: oneOf(FAULT_KINDS),
  site: text,
  ...faultFields,
  at: optional(instant),
  when: optional(Type.Unsafe<InjectCondition>(conditionSchema)),
  duration: optional(text),
  after: nullable(described(`ISO 8601; ${AFTER}; null: not by a duration`)),
  armed: flag(),
  inject_id: nullable(described("The inject that was last planned of it at this instant; null: none")),
});
export type PreparedRecord = Values<typeof PreparedRecord>;

export const SandboxPrepared = record({ version: VERSION, scenario: text, prepared: listOf(PreparedRecord) });
export type SandboxPrepared = Values<typeof SandboxPrepared>;
