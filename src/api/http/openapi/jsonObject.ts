/** A part of a generated description. */
export type JsonObject = Readonly<Record<string, unknown>>;
