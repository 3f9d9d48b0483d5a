import { InputErrors } from "../base/inputError.ts";
import { remarksJson, remarkText } from "../inputs/scenario/checks/remark.ts";
import { loadScenario } from "../inputs/scenario/loadScenario.ts";
import { createPageLocale } from "../report/html/page/pageLocale.ts";
import { colourOutput, VALIDATE_RULES } from "./colourText.ts";
import { EXIT_STATUS } from "./exitStatus.ts";
import { failureJson } from "./failureJson.ts";

/** `vppsim validate`: reads and checks a scenario with its files. */
export function validateCommand(file: string, flags: { readonly json?: boolean }): void {
  try {
    const { name, hash, world, timezone, warnings, remarks } = loadScenario(file);
    const counts = {
      sites: world.sites.length,
      vpps: world.vpps.length,
      awards: world.awards.length,
      instructions: world.instructions.length,
      events: world.events.length,
    };
    if (flags.json === true)
      process.stdout.write(
        `${JSON.stringify({ valid: true, name, hash, ...counts, warnings, remarks: remarksJson(remarks), errors: [] })}\n`,
      );
    else {
      const parts = Object.entries(counts).map(([key, count]) => countText(count, NOUNS[key as keyof typeof counts]));
      const { localise } = createPageLocale("en", timezone, world);
      const lines = remarks.map((remark) => `${localise(remarkText(remark))}\n`);
      process.stdout.write(colourOutput(`${file}: valid, ${parts.join(", ")}\n${lines.join("")}`, VALIDATE_RULES));
    }
  } catch (error) {
    if (flags.json !== true || !(error instanceof InputErrors)) throw error;
    process.stdout.write(`${JSON.stringify({ valid: false, ...failureJson(error) })}\n`);
    process.exitCode = EXIT_STATUS.badInput;
  }
}

const NOUNS = { sites: "site", vpps: "VPP", awards: "award", instructions: "instruction", events: "event" };

const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
