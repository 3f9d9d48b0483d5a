/** A part of a description: JSON that is made, not read. */
export type JsonObject = Readonly<Record<string, unknown>>;
