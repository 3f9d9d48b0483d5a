/**
 * Parts of the schemas of the `/sandbox` bodies (docs/sandbox.md). Instants are ISO 8601 in UTC with whole seconds. Power in kW and
 * energy in kWh: import positive, export negative; uncovered, not delivered and shortfall figures are magnitudes.
 */
import type { TSchema } from "typebox";
import type { Static } from "../../api/endpoints/schemas/baseSchemas.ts";
import { Type } from "../../base/schemaType.ts";

/** The values of a schema, read-only. */
export type Values<S extends TSchema> = ReadOnly<Static<S>>;
type ReadOnly<T> = T extends object ? { readonly [Key in keyof T]: ReadOnly<T[Key]> } : T;
/** A request body as a client writes it: the instants in `Keys` are texts, which the check converts. */
export type Written<S extends TSchema, Keys extends PropertyKey> = {
  readonly [Key in keyof Static<S>]: Key extends Keys ? string : Static<S>[Key];
};

export const text = Type.String();
export const described = (description: string) => Type.String({ description });
export const flag = (description?: string) => Type.Boolean(description === undefined ? {} : { description });
export const instant = Type.String({ format: "date-time" });
export const instantOf = (description: string) => Type.String({ format: "date-time", description });
export const lastSeq = Type.Integer({
  minimum: 0,
  description: "Of all entries, not only of this page; 0: there is none",
});
export const seq = Type.Integer({ minimum: 1, description: "Counts from 1, without gaps" });
