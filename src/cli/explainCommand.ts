import { explainAward } from "../report/explain/explainAward.ts";
import { colourOutput, EXPLAIN_RULES } from "./colourText.ts";
import { timezoneOf } from "./timezoneFlag.ts";

interface ExplainFlags {
  readonly json?: boolean;
  readonly tz?: string;
}

/** `vppsim explain`: prints why an award was not covered or not delivered. */
export function explainCommand(dir: string, awardId: string, flags: ExplainFlags): void {
  const { text, json } = explainAward(dir, awardId, timezoneOf(flags.tz));
  process.stdout.write(flags.json === true ? `${JSON.stringify(json)}\n` : colourOutput(text, EXPLAIN_RULES));
}
