import { inputRefusal } from "../base/inputError.ts";
import { LANGUAGES, type Language } from "../base/language.ts";

/** Checks the value of `--lang`. @throws InputErrors */
export function languageOf(text: string | undefined): Language | undefined {
  const language = LANGUAGES.find((name) => name === text);
  if (text !== undefined && language === undefined)
    throw inputRefusal("--lang", JSON.stringify(text), LANGUAGES.join(" or "));
  return language;
}
