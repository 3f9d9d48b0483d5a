import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { appendToHistory, readHistory } from "../../src/drill/attemptHistory.ts";
import { renderDebriefing } from "../../src/drill/debriefPage.ts";
import { DEBRIEF_TEXTS } from "../../src/drill/debriefTexts.ts";
import { playScript, readDrillScript } from "../../src/drill/drillScript.ts";
import { gradeDrill } from "../../src/drill/gradeDrill.ts";
import { drillFileOf } from "../../src/drill/listDrills.ts";
import { readDrill } from "../../src/drill/readDrill.ts";
import { suggestionsFor } from "../../src/drill/suggestions.ts";

const drill = { ...readDrill(drillFileOf("storm")), searchBudget: 24 };
const script = readDrillScript("scenarios/drills/scripts/storm.fail.yaml", drill);
const graded = await gradeDrill(drill, playScript(drill, script));

describe("a debriefing", () => {
  const page = renderDebriefing(graded, { language: "en", earlier: [] });

  test("needs no network, and is the same for the same grade", () => {
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page).toBe(renderDebriefing(graded, { language: "en", earlier: [] }));
  });

  test("tells of faults, notices, actions and what they won", () => {
    for (const text of [
      "factory: connection down",
      "call to the owner of battery-medium",
      "Nothing done",
      "Three things to try",
    ])
      expect(page).toContain(text);
  });

  test("is in Japanese throughout its own words", () => {
    const japanese = renderDebriefing(graded, { language: "ja", earlier: [] });
    expect(japanese).toContain('<html lang="ja">');
    for (const { en, ja } of Object.values(DEBRIEF_TEXTS)) {
      expect(ja).not.toBe("");
      if (page.includes(`<h2 id`) && en.length > 20) expect(japanese).not.toContain(en);
    }
  });

  test("suggests what a run of the attempt with that change wins, the most first", () => {
    const suggestions = suggestionsFor(graded, (atMs) => new Date(atMs).toISOString().slice(11, 16));
    expect(suggestions).toHaveLength(3);
    expect(suggestions[0].text.en).toBe("Call the owner of factory as soon as its fault shows, at 21:57");
    const gains = suggestions.map(({ wonKwh }) => wonKwh ?? 0);
    expect(gains).toEqual([...gains].sort((a, b) => b - a));
    expect(gains[0]).toBeGreaterThan(300);
  });
});

describe("the history of attempts", () => {
  const file = join(mkdtempSync(join(tmpdir(), "vppsim-history-")), "sub", "attempts.jsonl");

  test("has the attempts of one person at one drill, oldest first", () => {
    expect(readHistory(file, "Aya", "storm")).toEqual([]);
    appendToHistory(file, "Aya", graded);
    appendToHistory(file, "Ben", graded);
    appendToHistory(file, "Aya", { ...graded, score: 99 });
    expect(readHistory(file, "Aya", "storm").map(({ score }) => score)).toEqual([graded.score, 99]);
    expect(readHistory(file, "Aya", "first-steps")).toEqual([]);
    const page = renderDebriefing(graded, { language: "en", earlier: readHistory(file, "Aya", "storm") });
    expect(page).toContain("Earlier attempts");
  });

  test("a line that is no attempt is an error with its place", () => {
    const broken = join(mkdtempSync(join(tmpdir(), "vppsim-history-")), "broken.jsonl");
    appendToHistory(broken, "Aya", graded);
    expect(readFileSync(broken, "utf8").split("\n")).toHaveLength(2);
    expect(() => readHistory("package.json", "Aya", "storm")).toThrow("package.json:1:1: found another text");
  });
});
