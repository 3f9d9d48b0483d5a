import { listExamples } from "../datagen/exampleFiles.ts";
import { initScenario } from "../datagen/initScenario.ts";

/** `vppsim init`: writes an example scenario; without a folder it lists the examples. */
export function initCommand(dir: string | undefined, flags: { readonly example?: string }): void {
  if (dir === undefined) {
    process.stdout.write(exampleList());
    return;
  }
  const files = initScenario(dir, flags.example);
  const study = files.find((file) => file.endsWith(".study.yaml"));
  const next = [`vppsim run ${files[0]}`, ...(study === undefined ? [] : [`vppsim study ${study}`])];
  process.stdout.write(`Wrote\n${files.map((file) => `  ${file}\n`).join("")}Next: ${next.join(", or ")}\n`);
}

function exampleList(): string {
  const examples = listExamples();
  const width = Math.max(...examples.map(({ name }) => name.length));
  const lines = examples.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}\n`);
  return `Examples, written by vppsim init <dir> --example <name>\n${lines.join("")}`;
}
