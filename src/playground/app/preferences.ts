import { useMediaQuery } from "@mantine/hooks";
import { createContext, useEffect, useState } from "react";
import type { Language } from "../../texts/catalogue.ts";

export interface Preferences {
  readonly language: Language;
  readonly scheme: "light" | "dark";
  readonly toggleLanguage: () => void;
  readonly toggleScheme: () => void;
}

const IGNORE = (): void => {};

export const PreferencesContext = createContext<Preferences>({
  language: "en",
  scheme: "light",
  toggleLanguage: IGNORE,
  toggleScheme: IGNORE,
});

/** Language and theme: of the query of the address, else as last chosen in this browser, else as the browser says. */
export function usePreferences(): Preferences {
  const [lang, setLang] = useKept("lang");
  const [theme, setTheme] = useKept("theme");
  const isDark = useMediaQuery("(prefers-color-scheme: dark)", false, { getInitialValueInEffect: false });
  const language = (lang ?? navigator.language).startsWith("ja") ? "ja" : "en";
  const scheme = (theme ?? (isDark ? "dark" : "light")) === "dark" ? "dark" : "light";
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return {
    language,
    scheme,
    toggleLanguage: () => setLang(language === "en" ? "ja" : "en"),
    toggleScheme: () => setTheme(scheme === "light" ? "dark" : "light"),
  };
}

function useKept(key: "lang" | "theme"): readonly [string | null, (value: string) => void] {
  const [value, setValue] = useState(() => new URLSearchParams(location.search).get(key) ?? keptValue(key));
  const keep = (next: string): void => {
    setValue(next);
    try {
      localStorage.setItem(`vppsim.${key}`, next);
    } catch {
      // A browser without storage keeps nothing.
    }
  };
  return [value, keep];
}

function keptValue(key: string): string | null {
  try {
    return localStorage.getItem(`vppsim.${key}`);
  } catch {
    return null;
  }
}
