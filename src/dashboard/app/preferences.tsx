import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { createContext, Fragment, type ReactNode, useContext, useEffect, useMemo } from "react";
import { type Language, type TextKey, type TextValues, textOf, textPieces } from "../../texts/catalogue.ts";
import { type TimeFormats, timeFormats } from "../format/times.ts";
import { useQueryState } from "./route.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

interface Preferences {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
  /** The theme that is shown. */
  readonly scheme: "light" | "dark";
}

/** Language and theme: of the address, else as last chosen in this browser, else as the browser says. */
export function usePreferences(): Preferences {
  const [lang, setLang] = useQueryState("lang", localStorage.getItem("vppsim.lang") ?? browserLanguage());
  const [themeName, setThemeName] = useQueryState("theme", localStorage.getItem("vppsim.theme") ?? "system");
  const systemIsDark = useMediaQuery("(prefers-color-scheme: dark)", false, { getInitialValueInEffect: false });
  const language: Language = lang === "ja" ? "ja" : "en";
  const theme = THEMES.find((name) => name === themeName) ?? "system";
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const keep = (key: string, value: string, set: (value: string) => void) => {
    localStorage.setItem(`vppsim.${key}`, value);
    set(value);
  };
  return {
    language,
    setLanguage: (value) => keep("lang", value, setLang),
    theme,
    setTheme: (value) => keep("theme", value, setThemeName),
    scheme: theme === "system" ? (systemIsDark ? "dark" : "light") : theme,
  };
}

const browserLanguage = (): Language => (navigator.language.startsWith("ja") ? "ja" : "en");

export const LanguageContext = createContext<Language>("en");

export interface Texts {
  readonly language: Language;
  /** A text of the catalogue with its values. */
  readonly t: (key: TextKey, values?: TextValues) => string;
  /** The same with elements as values. */
  readonly rich: (key: TextKey, values: RichValues) => ReactNode;
}

export function useTexts(): Texts {
  const language = useContext(LanguageContext);
  return useMemo(
    () => ({
      language,
      t: (key, values) => textOf(language, key, values),
      rich: (key, values) => richText(language, key, values),
    }),
    [language],
  );
}

export const ZoneContext = createContext("UTC");

/** Formats of instants in the scenario's zone. */
export function useTimes(): TimeFormats {
  const language = useContext(LanguageContext);
  const zone = useContext(ZoneContext);
  return timeFormats(zone, language);
}

type RichValues = Readonly<Record<string, ReactNode>>;

/** A text of the catalogue whose values are elements. */
function richText(language: Language, key: TextKey, values: RichValues): ReactNode {
  return textPieces<ReactNode>(language, key, values).map((piece, k) => (
    // Pieces of one text never change their order.
    // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity
    <Fragment key={k}>{piece}</Fragment>
  ));
}

/** Changes to the other language. */
export function LanguageSwitch() {
  const { t } = useTexts();
  const { language, setLanguage } = usePreferences();
  return (
    <Button
      aria-label={t("language.label")}
      lang={language === "en" ? "ja" : "en"}
      onClick={() => setLanguage(language === "en" ? "ja" : "en")}
    >
      {t("language.other")}
    </Button>
  );
}
