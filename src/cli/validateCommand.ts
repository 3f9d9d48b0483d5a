import { loadScenario } from "../scenario/loadScenario.ts";
import { InputErrors } from "../scenario/parse/inputError.ts";
import { EXIT_STATUS } from "./exitStatus.ts";

/** `vppsim validate`: reads and checks a scenario with its files. */
export function validateCommand(file: string, flags: { readonly json?: boolean }): void {
  try {
    const { name, hash, world, warnings } = loadScenario(file);
    const counts = {
      sites: world.sites.length,
      vpps: world.vpps.length,
      awards: world.awards.length,
      instructions: world.instructions.length,
      events: world.events.length,
    };
    if (flags.json === true)
      process.stdout.write(`${JSON.stringify({ valid: true, name, hash, ...counts, warnings, errors: [] })}\n`);
    else {
      const parts = Object.entries(counts).map(([key, count]) => countText(count, NOUNS[key as keyof typeof counts]));
      process.stdout.write(
        `${file}: valid, ${parts.join(", ")}\n${warnings.map((warning) => `warning: ${warning}\n`).join("")}`,
      );
    }
  } catch (error) {
    if (flags.json !== true || !(error instanceof InputErrors)) throw error;
    process.stdout.write(`${JSON.stringify({ valid: false, errors: error.errors })}\n`);
    process.exitCode = EXIT_STATUS.badInput;
  }
}

const NOUNS = { sites: "site", vpps: "VPP", awards: "award", instructions: "instruction", events: "event" };

const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
