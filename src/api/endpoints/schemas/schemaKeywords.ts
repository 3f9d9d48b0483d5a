import type { TSchema } from "typebox";

/** The JSON of a schema, as far as messages and descriptions read it. */
export interface SchemaKeywords {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaKeywords[];
  readonly properties?: Readonly<Record<string, SchemaKeywords>>;
  readonly required?: readonly string[];
  readonly items?: SchemaKeywords;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
}

/** A schema of typebox is its own JSON. */
export const keywordsOf = (schema: TSchema): SchemaKeywords => schema;
