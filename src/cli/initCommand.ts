import { join } from "node:path";
import { initScenario } from "../datagen/initScenario.ts";

/** `vppsim init`: writes a small example scenario. */
export function initCommand(dir: string): void {
  const files = initScenario(dir);
  const lines = files.map((file) => `  ${file}`);
  process.stdout.write(`Wrote\n${lines.join("\n")}\nNext: vppsim run ${join(dir, "scenario.yaml")}\n`);
}
