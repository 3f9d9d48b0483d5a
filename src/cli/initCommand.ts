import { listExamples } from "../inputs/datagen/disk/exampleFiles.ts";
import { initFromFiles, initScenario } from "../inputs/datagen/disk/initScenario.ts";
import { readRawFile } from "./importFlags.ts";

interface InitFlags {
  readonly example?: string;
  /** Files, separated by commas. */
  readonly from?: string;
  readonly area?: string;
  readonly kw?: number;
}

/** `vppsim init`: writes an example scenario, or one that runs from published files; without a folder it lists the examples. */
export function initCommand(dir: string | undefined, { example, from, area, kw }: InitFlags): void {
  if (dir === undefined) {
    process.stdout.write(exampleList());
    return;
  }
  const files =
    from === undefined
      ? initScenario(dir, example)
      : initFromFiles(dir, from.split(",").map(readRawFile), { area, capacityKw: kw });
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
