import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { debriefEvents } from "../../src/live/drill/debriefEvents.ts";
import { executeScript, readDrillScript } from "../../src/live/drill/drillScript.ts";
import { gradeDrill } from "../../src/live/drill/gradeDrill.ts";
import { drillFileOf, readDrill } from "../../src/live/drill/readDrill.ts";
import { CATALOGUE } from "../../src/texts/catalogue.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

test("a Japanese debriefing gives the reason of a refusal without its error_type", async () => {
  const drill = { ...readDrill(drillFileOf("storm")), searchBudget: 4 };
  // The second schedule would leave half a minute of the first.
  const file = join(createTemporaryFolder("refusal"), "actions.yaml");
  writeFileSync(
    file,
    `version: 1
drill: storm
actions:
  - {at: 2026-05-19T21:51:00Z, schedule: {sku: exchange-da, delta_kw: -10, start: 2026-05-19T22:00:00Z, end: 2026-05-19T22:10:00Z}}
  - {at: 2026-05-19T21:52:00Z, schedule: {sku: exchange-da, delta_kw: -10, start: 2026-05-19T22:00:00Z, end: 2026-05-19T22:09:30Z}}
`,
  );
  const graded = await gradeDrill(drill, executeScript(drill, readDrillScript(file, drill)));
  const refusals = (language: "en" | "ja"): string[] =>
    debriefEvents(graded, language).flatMap(({ kind, text }) => (kind === "kindRefused" ? [text] : []));
  expect(refusals("en")).toEqual([expect.stringContaining("(A piece from")]);
  expect(refusals("ja")).toEqual([expect.stringContaining(`(${CATALOGUE["refusal.schedule_split_too_narrow"].ja})`)]);
});
