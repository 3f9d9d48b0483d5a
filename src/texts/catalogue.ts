import type { Language } from "../base/language.ts";
import { alarms } from "./alarms.ts";
import { awards } from "./awards.ts";
import { baseline } from "./baseline.ts";
import { calibration } from "./calibration.ts";
import { causes } from "./causes.ts";
import { charts } from "./charts.ts";
import { chronology } from "./chronology.ts";
import { compare } from "./compare.ts";
import { events } from "./events.ts";
import { examples } from "./examples.ts";
import { explanation } from "./explanation.ts";
import { heads } from "./heads.ts";
import { incidents } from "./incidents.ts";
import { instruct } from "./instruct.ts";
import { instructor } from "./instructor.ts";
import { investment } from "./investment.ts";
import { kpis } from "./kpis.ts";
import { money } from "./money.ts";
import { months } from "./months.ts";
import { never } from "./never.ts";
import { chart, now } from "./now.ts";
import { outcomes } from "./outcomes.ts";
import { pages } from "./pages.ts";
import { parameters } from "./parameters.ts";
import { plan } from "./plan.ts";
import { playground } from "./playground.ts";
import { printed } from "./printed.ts";
import { refusals } from "./refusals.ts";
import { report } from "./report.ts";
import { runReport } from "./runReport.ts";
import { schedules } from "./schedules.ts";
import { sections } from "./sections.ts";
import { settlement } from "./settlement.ts";
import { shell } from "./shell.ts";
import { sites } from "./sites.ts";
import { study, studyBound } from "./study.ts";
import { studyRace } from "./studyRace.ts";
import { summary } from "./summary.ts";
import { times } from "./times.ts";
import { twin } from "./twin.ts";
import { twinCheck } from "./twinCheck.ts";
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
  ...times,
  ...causes,
  ...incidents,
  ...outcomes,
  ...refusals,
  ...heads,
  ...awards,
  ...chronology,
  ...explanation,
  ...charts,
  ...sections,
  ...kpis,
  ...runReport,
  ...settlement,
  ...summary,
  ...printed,
  ...pages,
  ...now,
  ...chart,
  ...sites,
  ...schedules,
  ...instruct,
  ...alarms,
  ...events,
  ...report,
  ...compare,
  ...money,
  ...months,
  ...investment,
  ...never,
  ...plan,
  ...playground,
  ...examples,
  ...parameters,
  ...baseline,
  ...study,
  ...studyBound,
  ...studyRace,
  ...instructor,
  ...twin,
  ...calibration,
  ...twinCheck,
} as const satisfies Readonly<Record<string, Text>>;

export type TextKey = keyof typeof CATALOGUE;
export type TextValues = Readonly<Record<string, string | number>>;

/** The key, if the catalogue has it: for keys that are made from values of the server. */
export const knownKey = (key: string): TextKey | null => (Object.hasOwn(CATALOGUE, key) ? (key as TextKey) : null);

/** A value of a text, or one of two words by a count: `{count|site|sites}` is the first word where the count is 1. */
const SLOT = /(\{\w+(?:\|[^{|}]*\|[^{|}]*)?\})/;

/** A text in pieces: words at even places, values between them. A value that is missing leaves its place as it is. */
export const textPieces = <Value>(
  language: Language,
  key: TextKey,
  values: Readonly<Record<string, Value>>,
): readonly (string | Value)[] =>
  CATALOGUE[key][language].split(SLOT).map((piece, k) => {
    if (k % 2 === 0) return piece;
    const [name, one, other] = piece.slice(1, -1).split("|");
    if (one === undefined) return values[name] ?? piece;
    return Number(values[name]) === 1 ? one : other;
  });

export const textOf = (language: Language, key: TextKey, values: TextValues = {}): string =>
  textPieces(language, key, values).join("");
