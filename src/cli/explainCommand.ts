import { explainAward } from "../report/explain/explainAward.ts";
import { colourOutput, EXPLAIN_RULES } from "./colourText.ts";
import { languageOf } from "./languageFlag.ts";
import { timezoneOf } from "./timezoneFlag.ts";

interface ExplainFlags {
  readonly json?: boolean;
  readonly tz?: string;
  readonly lang?: string;
}

/** `vppsim explain`: prints why an award was not covered or not delivered. */
export function explainCommand(dir: string, awardId: string, flags: ExplainFlags): void {
  const reading = { language: languageOf(flags.lang), timezone: timezoneOf(flags.tz) };
  const { text, json } = explainAward(dir, awardId, reading);
  process.stdout.write(flags.json === true ? `${JSON.stringify(json)}\n` : colourOutput(text, EXPLAIN_RULES));
}
