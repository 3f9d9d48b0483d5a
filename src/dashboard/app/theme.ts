import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
  mergeThemeOverrides,
} from "@mantine/core";
import type { Language } from "../format/times.ts";
import { textOf } from "../texts/catalogue.ts";
import { TOKENS } from "./tokens.ts";

/** Shades of the accent; the tokens override the ones that are shown. */
const ACCENT: MantineColorsTuple = [
  "#e6f2fb",
  "#dcebf6",
  "#b5d6ee",
  "#8bc0e6",
  "#62b0ea",
  "#3a93cf",
  "#0b67a8",
  "#0a5c97",
  "#084e80",
  "#063c63",
];

const SMALL = { fontSize: "0.75rem" };
const RAISED = { background: "var(--raised)", borderColor: "var(--line-strong)" };

const THEME = createTheme({
  colors: { accent: ACCENT },
  primaryColor: "accent",
  primaryShade: { light: 6, dark: 4 },
  fontFamily: 'Inter, "Noto Sans", "Noto Sans JP", "Hiragino Sans", "Yu Gothic UI", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "JetBrains Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  // From there on the type is larger (page.css).
  breakpoints: { wide: "100em" },
  spacing: { xs: "0.25rem", sm: "0.5rem", md: "0.75rem", lg: "1rem", xl: "1.5rem" },
  radius: { xs: "2px", sm: "3px", md: "6px" },
  defaultRadius: "sm",
  headings: { fontWeight: "600" },
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    Alert: { defaultProps: { bg: "var(--tint)", bd: "1px solid var(--line)", c: "var(--ink)" } },
    Badge: { defaultProps: { fz: "xs" } },
    Kbd: { defaultProps: { fz: "xs" } },
    Code: { defaultProps: { color: "var(--tint)" } },
    InputWrapper: { styles: { description: SMALL, error: SMALL } },
    Button: { defaultProps: { size: "xs", variant: "default" }, styles: { root: { flexShrink: 0 } } },
    ActionIcon: { defaultProps: { variant: "default", size: "md" } },
    Select: { defaultProps: { size: "xs", allowDeselect: false } },
    TextInput: { defaultProps: { size: "xs" } },
    PasswordInput: { defaultProps: { size: "xs" } },
    DateInput: {
      defaultProps: { size: "xs" },
      styles: { day: SMALL, weekday: SMALL, monthsListControl: SMALL, yearsListControl: SMALL },
    },
    TimePicker: { defaultProps: { size: "xs" } },
    NumberInput: { defaultProps: { size: "xs", hideControls: true } },
    Textarea: { defaultProps: { size: "xs" } },
    SegmentedControl: {
      defaultProps: { size: "xs" },
      styles: {
        root: { background: "var(--tint)" },
        indicator: { background: "var(--raised)", border: "1px solid var(--accent)" },
        label: { color: "var(--ink)" },
      },
    },
    Table: { defaultProps: { verticalSpacing: 4, horizontalSpacing: 5, fz: "sm" } },
    Text: { defaultProps: { size: "sm" } },
    Menu: { defaultProps: { transitionProps: { duration: 0 } }, styles: { dropdown: RAISED } },
    Popover: { styles: { dropdown: { borderColor: "var(--line-strong)" } } },
    Combobox: { styles: { dropdown: RAISED } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true, transitionProps: { duration: 0 } } },
  },
});

/** The theme with the texts of a language that the library's parts need. */
export const themeOf = (language: Language): MantineThemeOverride =>
  mergeThemeOverrides(THEME, {
    components: {
      Modal: {
        defaultProps: {
          transitionProps: { duration: 0 },
          styles: { header: RAISED, content: RAISED, body: { overflowWrap: "break-word" } },
          closeButtonProps: { "aria-label": textOf(language, "app.close") },
          // A dialog's <header> is no banner of the page.
          attributes: { header: { role: "presentation" } },
        },
      },
    },
  });

const SHARED = {
  "--mantine-color-body": "var(--page)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--muted)",
  "--mantine-color-placeholder": "var(--muted)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-default": "var(--raised)",
  "--mantine-color-default-hover": "var(--tint)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--app-shell-border-color": "var(--line)",
  "--table-border-color": "var(--line)",
  "--mantine-color-disabled": "var(--tint)",
  "--mantine-color-disabled-color": "var(--muted)",
  "--mantine-color-disabled-border": "var(--line)",
  "--mantine-color-error": "var(--ink)",
  "--mantine-primary-color-filled": "var(--accent)",
  "--mantine-primary-color-filled-hover": "var(--accent)",
  "--mantine-primary-color-contrast": "var(--on-accent)",
  "--mantine-color-accent-filled": "var(--accent)",
  "--mantine-color-accent-filled-hover": "var(--accent)",
  "--mantine-color-accent-light": "var(--accent-tint)",
  "--mantine-color-accent-light-hover": "var(--accent-tint)",
  "--mantine-color-accent-light-color": "var(--ink)",
  "--mantine-color-accent-outline": "var(--accent)",
};

/** The tokens, and the library's colours by them. */
export const resolveVariables: CSSVariablesResolver = () => {
  const ofTheme = (theme: 0 | 1) => ({
    ...Object.fromEntries(Object.entries(TOKENS).map(([name, colours]) => [`--${name}`, colours[theme]])),
    ...SHARED,
  });
  return { variables: {}, light: ofTheme(0), dark: ofTheme(1) };
};
