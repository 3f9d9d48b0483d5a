import { explainAward } from "../report/explain/explainAward.ts";

/** `vppsim explain`: prints why an award was not covered or not delivered. */
export function explainCommand(dir: string, awardId: string, flags: { readonly json?: boolean }): void {
  const { text, json } = explainAward(dir, awardId);
  process.stdout.write(flags.json === true ? `${JSON.stringify(json)}\n` : text);
}
