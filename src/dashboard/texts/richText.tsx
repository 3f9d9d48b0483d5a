import { Fragment, type ReactNode } from "react";
import type { Language } from "../format/times.ts";
import { CATALOGUE, type TextKey } from "./catalogue.ts";

export type RichValues = Readonly<Record<string, ReactNode>>;

/** A text of the catalogue whose values are elements. */
export function richText(language: Language, key: TextKey, values: RichValues): ReactNode {
  return CATALOGUE[key][language].split(/(\{\w+\})/).map((part, k) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    // Parts of one text never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity
    return <Fragment key={k}>{name === undefined ? part : (values[name] ?? part)}</Fragment>;
  });
}
