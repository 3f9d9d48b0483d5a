import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JAPANESE_REFUSALS } from "../../src/live/drill/actionText.ts";
import { debriefEvents } from "../../src/live/drill/debriefEvents.ts";
import { executeScript, readDrillScript } from "../../src/live/drill/drillScript.ts";
import { gradeDrill } from "../../src/live/drill/gradeDrill.ts";
import { drillFileOf, readDrill } from "../../src/live/drill/readDrill.ts";
import { CATALOGUE } from "../../src/texts/catalogue.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

test("every refusal has a Japanese text, the same as on the page", () => {
  const onPage = CATALOGUE as Readonly<Record<string, { readonly ja: string }>>;
  for (const [kind, text] of Object.entries(JAPANESE_REFUSALS)) {
    expect(text, kind).toMatch(/[\p{Script=Hiragana}\p{Script=Han}]/u);
    expect(text, kind).not.toMatch(/[a-z_]{4,}/);
    const entry = onPage[`refusal.${kind}`];
    if (entry !== undefined) expect(text, kind).toBe(entry.ja);
  }
});

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
  expect(refusals("ja")).toEqual([expect.stringContaining(`(${JAPANESE_REFUSALS.schedule_split_too_narrow})`)]);
});
