import { knownKey } from "../../texts/catalogue.ts";
import type { Translate } from "../html/page/pageLocale.ts";

/** The text of a key; the name itself where there is none. */
export function wordOf(key: string, name: string, t: Translate): string {
  const known = knownKey(key);
  return known === null ? name : t(known);
}

/** The title of a shipped parameter set in the language of the reader; one of a file as the file has it. */
export const parameterSetTitle = (title: string, t: Translate): string =>
  wordOf(`parameter_set.${title.toLowerCase().replace(/\W+/g, "_")}`, title, t);
