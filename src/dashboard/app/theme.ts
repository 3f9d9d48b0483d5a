import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
  mergeThemeOverrides,
} from "@mantine/core";
import type { Language } from "../../texts/catalogue.ts";
import { textOf } from "../../texts/catalogue.ts";

/**
 * Colours of the control room, in the light and in the dark theme. Greys carry what is well; the accent is for what can be pressed and
 * for the focus; alarm colours stand in alarm badges alone, cause colours in hatched areas and swatches alone. No text has such a colour.
 */
export const TOKENS = {
  page: ["#e7eaee", "#0f141a"],
  surface: ["#f8f9fb", "#171e27"],
  raised: ["#ffffff", "#1d2530"],
  tint: ["#eceff3", "#222c38"],
  line: ["#cfd5dc", "#323d4a"],
  "line-strong": ["#7a8694", "#768496"],
  muted: ["#515c6a", "#a9b4c1"],
  ink: ["#17202b", "#e8edf3"],
  requested: ["#6b7786", "#93a0b0"],
  delivered: ["#17202b", "#e8edf3"],
  "delivered-fill": ["#c9d0d8", "#3a4553"],
  accent: ["#0b67a8", "#62b0ea"],
  "on-accent": ["#ffffff", "#0b1118"],
  "accent-tint": ["#dcebf6", "#1b3347"],
  "alarm-1": ["#c1121f", "#e5484d"],
  "on-alarm-1": ["#ffffff", "#0b1118"],
  "alarm-2": ["#ffd43b", "#ffd43b"],
  "on-alarm-2": ["#17202b", "#17202b"],
  "alarm-1-tint": ["#fbe4e4", "#3a1c20"],
  stale: ["#dfe6f0", "#22303f"],
  // The report's colours of causes; a test compares them.
  "cause-out_of_service": ["#a9430a", "#ff5805"],
  "cause-incompatible": ["#8c7668", "#5672dc"],
  "cause-refused": ["#591375", "#c8d4d2"],
  "cause-delivery_failed": ["#c70093", "#f65cba"],
  "cause-baseline_missing": ["#755f5a", "#7f8997"],
  "cause-direct_control": ["#9c00e0", "#a5b9f6"],
  "cause-power_limit": ["#c98700", "#f4a225"],
  "cause-energy_limit": ["#00a07b", "#29f499"],
  "cause-output_control": ["#602905", "#aa685d"],
  "cause-other_award": ["#205353", "#82a570"],
  "cause-ramp": ["#9c84bf", "#e2a7bc"],
  "cause-weather": ["#3c9fd6", "#4aecff"],
  "cause-load_deviation": ["#8b8500", "#dbdd1d"],
  "cause-no_member": ["#990b38", "#be3a81"],
  "cause-not_yet_known": ["#6b7177", "#a9b0b7"],
} as const;

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
