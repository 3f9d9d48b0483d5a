import type { Language } from "../../texts/catalogue.ts";

export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = "",
  text = "",
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

/** A line of a tip: swatch, label and value. @param colour  value of a colour; `null`: no swatch */
export function tipLine(colour: string | null, label: string, value: string | undefined): HTMLElement {
  const line = createElement("div");
  const mark = createElement("i", colour === null ? "" : "swatch");
  if (colour !== null) mark.style.setProperty("--swatch", colour);
  line.append(mark, createElement("span", "", label));
  if (value !== undefined) line.append(createElement("span", "value", value));
  return line;
}

export const pageLanguage = (): Language => (document.documentElement.lang === "ja" ? "ja" : "en");

/** Texts of the page's language. */
export const textsOf = <Texts>(texts: Readonly<Record<Language, Texts>>): Texts => texts[pageLanguage()];
