/** Languages of texts that people read. */
export const LANGUAGES = ["en", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text in English and, optionally, Japanese. */
export interface LocalText {
  readonly en: string;
  readonly ja?: string | undefined;
}

/** In English where there is no Japanese. */
export const textIn = ({ en, ja }: LocalText, language: Language): string => (language === "ja" ? (ja ?? en) : en);
