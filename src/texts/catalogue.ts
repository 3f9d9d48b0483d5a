import type { Language } from "../base/language.ts";
import { alarms } from "./alarms.ts";
import { events } from "./events.ts";
import { instruct } from "./instruct.ts";
import { instructor } from "./instructor.ts";
import { chart, now } from "./now.ts";
import { report } from "./report.ts";
import { schedules } from "./schedules.ts";
import { shell } from "./shell.ts";
import { sites } from "./sites.ts";
import { words } from "./words.ts";

export type { Language };

/** One text in both languages; values stand in braces. */
export interface Text {
  readonly en: string;
  readonly ja: string;
}

/** Every text of the control room and of reports. A key names its area first; a test finds keys that nothing uses. */
export const CATALOGUE = {
  ...shell,
  ...words,
  ...now,
  ...chart,
  ...sites,
  ...schedules,
  ...instruct,
  ...alarms,
  ...events,
  ...report,
  ...instructor,
} as const satisfies Readonly<Record<string, Text>>;

export type TextKey = keyof typeof CATALOGUE;
export type TextValues = Readonly<Record<string, string | number>>;

/** The key, if the catalogue has it: for keys that are made from values of the server. */
export const knownKey = (key: string): TextKey | null => (Object.hasOwn(CATALOGUE, key) ? (key as TextKey) : null);

export function textOf(language: Language, key: TextKey, values: TextValues = {}): string {
  return CATALOGUE[key][language].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
