import { dirname } from "node:path";
import { listExamples } from "../inputs/datagen/disk/exampleFiles.ts";
import { initFromFiles, initRawFiles, initScenario } from "../inputs/datagen/disk/initScenario.ts";
import { readRawFile } from "./importFlags.ts";

interface InitFlags {
  readonly example?: string;
  readonly files?: boolean;
  /** Files, separated by commas. */
  readonly from?: string;
  readonly area?: string;
  readonly kw?: number;
}

/** `vppsim init`: writes an example scenario, or one that runs from published files; without a folder it lists the examples. */
export function initCommand(dir: string | undefined, { example, files: isRaw, from, area, kw }: InitFlags): void {
  if (dir === undefined) {
    process.stdout.write(exampleList());
    return;
  }
  if (isRaw === true) {
    const raw = initRawFiles(dir);
    const folder = dirname(raw[0]);
    process.stdout.write(`${wrote(raw)}Next: vppsim import --detect ${folder}/*\n`);
    return;
  }
  const files =
    from === undefined
      ? initScenario(dir, example)
      : initFromFiles(dir, from.split(",").map(readRawFile), { area, capacityKw: kw });
  const study = files.find((file) => file.endsWith(".study.yaml"));
  const next = [`vppsim run ${files[0]}`, ...(study === undefined ? [] : [`vppsim study ${study}`])];
  process.stdout.write(`${wrote(files)}Next: ${next.join(", or ")}\n`);
}

const wrote = (files: readonly string[]): string => `Wrote\n${files.map((file) => `  ${file}\n`).join("")}`;

function exampleList(): string {
  const examples = listExamples();
  const width = Math.max(...examples.map(({ name }) => name.length));
  const lines = examples.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}\n`);
  return `Examples, written by vppsim init <dir> --example <name>\n${lines.join("")}`;
}
