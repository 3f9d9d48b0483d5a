import { nullable } from "../../api/endpoints/schemas/baseSchemas.ts";
import { arrayOf, instant, integer, strictObject, string } from "../../base/schemaBuilders.ts";
import { Type } from "../../base/schemaType.ts";
import type { Values, Written } from "./sandboxParts.ts";

/** The file of an initial condition (docs/model/sandbox.md#initial-conditions). */
export const InitialConditionFile = strictObject({
  vppsim_initial_condition: integer(1, 1, { description: "Version of the format" }),
  scenario: string({ description: "Name of the scenario" }),
  hash: string({ description: "Digest of the scenario and its data" }),
  seed: integer(0, Number.MAX_SAFE_INTEGER),
  opened_at: instant({ description: "Opening of the server that it comes from" }),
  at: instant(),
  label: nullable(Type.String({ maxLength: 200, title: "a text of at most 200 characters" })),
  state_hash: string({ description: "Of the state at `at`" }),
  commands: arrayOf(Type.Unsafe<unknown>({ description: "As in the journal" })),
});
export type InitialConditionFile = Values<typeof InitialConditionFile>;
/** As it is written. */
export type WrittenInitialCondition = Written<typeof InitialConditionFile, "opened_at" | "at">;
