/** Writes docs/schema/*.schema.json for editors and readers; a test compares them with the code. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { scenarioSchema } from "./scenarioSchema.ts";
import { studySchema } from "./studySchema.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** File name and content of each committed schema. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const printed = (title: string, schema: object) =>
    `${JSON.stringify({ $schema: DRAFT, title, ...schema }, null, 2)}\n`;
  return new Map([
    ["scenario.schema.json", printed("vppsim scenario, format version 1", scenarioSchema)],
    ["study.schema.json", printed("vppsim study, format version 1", studySchema)],
  ]);
}

function main(): void {
  const folder = fileURLToPath(new URL("../../../docs/schema/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of schemaFiles()) writeFileSync(`${folder}${name}`, content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
