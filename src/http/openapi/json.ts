/** A part of a description: JSON that is made, not read. */
export type Json = Readonly<Record<string, unknown>>;
