import type { TextKey } from "../../texts/catalogue.ts";

/** A value inside a text. Quantities are formatted by the page: `kw` with one decimal, durations, instants in the scenario's zone. */
export type TextValue =
  | string
  | { readonly kw: number }
  | { readonly minutes: number }
  | { readonly count: number }
  | { readonly at: string }
  /** Another text of the catalogue, without values. */
  | { readonly key: TextKey }
  | { readonly message: MessageText };

/** A text of the catalogue with its values, in no language yet. */
export interface MessageText {
  readonly key: TextKey;
  readonly values: Readonly<Record<string, TextValue>>;
}

export const message = (key: TextKey, values: MessageText["values"] = {}): MessageText => ({ key, values });
