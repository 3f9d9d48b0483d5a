import type { AwardConfig, InstructionConfig } from "../schema/awardSchema.ts";
import type { CheckContext } from "./checkContext.ts";

/** Characters, also full-width ones, that make a spreadsheet read a cell as a formula. */
const FORMULA_START = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Ids that a spreadsheet takes for formulas (docs/model/report-files.md#formula-cells). */
export function checkFormulaText(context: CheckContext): void {
  const check = (owner: object, key: string, text: string) => {
    if (!FORMULA_START.test(text)) return;
    context.remark("formula-text", [owner, key], () => {
      const found = `${key} ${JSON.stringify(text)} begins with ${text[0]}`;
      return `${found}; CSV files contain it unchanged, and a spreadsheet reads it as a formula; begin it with a letter or digit`;
    });
  };
  const checkId = (command: AwardConfig | InstructionConfig) => check(command, "award_id", command.award_id ?? "");
  context.awards.forEach(checkId);
  context.instructions.forEach(checkId);
  // Sites of one entry share their keys.
  for (const config of new Set(context.sites.map((site) => site.config)))
    for (const component of config.components) checkTexts(component, check);
}

/** Every text below the keys of a component: ids of the component and of its parts. */
function checkTexts(value: object, check: (owner: object, key: string, text: string) => void): void {
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === "string") check(value, key, member);
    else if (typeof member === "object" && member !== null) checkTexts(member, check);
  }
}
