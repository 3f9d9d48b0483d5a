/** Writes docs/schema/*.schema.json for editors and readers; a test compares them with the code. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drillSchema } from "../../../live/drill/drillSchema.ts";
import { drillScriptSchema } from "../../../live/drill/drillScript.ts";
import { scenarioSchema } from "../../scenario/schema/scenarioSchema.ts";
import { studySchema } from "../../scenario/schema/studySchema.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** File name and content of each committed schema. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const printed = (title: string, schema: object) =>
    `${JSON.stringify({ $schema: DRAFT, title, ...schema }, null, 2)}\n`;
  return new Map([
    ["scenario.schema.json", printed("vppsim scenario, format version 1", scenarioSchema)],
    ["drill.schema.json", printed("vppsim drill, format version 1", drillSchema)],
    ["drill-script.schema.json", printed("vppsim script of a drill, format version 1", drillScriptSchema)],
    ["study.schema.json", printed("vppsim study, format version 1", studySchema)],
  ]);
}

function main(): void {
  const folder = fileURLToPath(new URL("../../../../docs/schema/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of schemaFiles()) writeFileSync(`${folder}${name}`, content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
