import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isoUtc } from "../../src/base/time.ts";
import { actionText } from "../../src/live/drill/actionText.ts";
import { type HistoryLine, historyLine, readHistory, rememberAttempt } from "../../src/live/drill/attemptHistory.ts";
import { CLIENT_CHECK_TEXTS, type ClientCheck } from "../../src/live/drill/clientChecks.ts";
import { debriefEvents } from "../../src/live/drill/debriefEvents.ts";
import { renderDebriefing } from "../../src/live/drill/debriefPage.ts";
import { DEBRIEF_TEXTS, type DebriefText } from "../../src/live/drill/debriefTexts.ts";
import { executeScript, readDrillScript } from "../../src/live/drill/drillScript.ts";
import { gradeDocuments } from "../../src/live/drill/gradeDocuments.ts";
import { gradeDrill } from "../../src/live/drill/gradeDrill.ts";
import { FORESIGHT_NOTE } from "../../src/live/drill/gradeJson.ts";
import { gradeText } from "../../src/live/drill/gradeText.ts";
import { isIneffective } from "../../src/live/drill/measureAttempt.ts";
import { drillFileOf, readDrill } from "../../src/live/drill/readDrill.ts";
import { mountSmall, spaceOf, unmountSmall } from "../attack/smallDisk.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const drill = { ...readDrill(drillFileOf("storm")), searchBudget: 24 };
const script = readDrillScript("scenarios/drills/scripts/storm.fail.yaml", drill);
const graded = await gradeDrill(drill, executeScript(drill, script));

describe("a debriefing", () => {
  const page = renderDebriefing(graded, { language: "en", earlier: [] });

  test("needs no network, and is the same for the same grade", () => {
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page).toBe(renderDebriefing(graded, { language: "en", earlier: [] }));
  });

  test("lists faults, notices, actions and their effects", () => {
    for (const text of [
      "factory: connection down",
      "call to the owner of battery-medium",
      "Nothing done",
      "What to try next",
      "Goals that are not met: Penalty for the shortfall",
    ])
      expect(page).toContain(text);
  });

  test("is in Japanese throughout its own words", () => {
    const japanese = renderDebriefing(graded, { language: "ja", earlier: [] });
    expect(japanese).toContain('<html lang="ja">');
    const visible = japanese.replace(/<(script|style)[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, "|");
    expect(visible.match(/[A-Za-z]{2,}[ ,][A-Za-z]{2,}[^|]*/g) ?? []).toEqual([]);
    expect(japanese).toMatch(/aria-label="目次"/);
    for (const { en, ja } of Object.values(DEBRIEF_TEXTS)) {
      expect(ja).not.toBe("");
      if (page.includes(`<h2 id`) && en.length > 20) expect(japanese).not.toContain(en);
    }
  });

  test("has no English words in the time line, the actions and the suggestions of a Japanese grade", () => {
    const json = JSON.parse(gradeDocuments(graded, "ja", null).json);
    const lists = [json.timeline, json.actions, json.best.actions, json.suggestions, json.goals];
    const texts: string[] = lists.flatMap((list: { text: string }[]) => list.map(({ text }) => text));
    expect(texts.length).toBeGreaterThan(20);
    // Names of sites and awards, instants, units, products, and ids of injects stay as they are.
    const { sites, awards } = drill.served.scenario.world;
    const names = [...sites.map(({ name }) => name), ...awards.map(({ awardId }) => awardId)];
    const words = texts.flatMap(
      (text) =>
        names
          .reduce((rest, name) => rest.replaceAll(name, ""), text)
          .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b(?:kWh?|JPY|min|SOC|FCR|FRR|RR)\b/g, "")
          .match(/[A-Za-z]{2,}/g) ?? [],
    );
    expect(words).toEqual([]);
    expect(gradeText(graded, "ja")).toContain("何もしない場合");
    expect(gradeText(graded, "ja")).not.toMatch(/nothing|shortfall|not met|needless/);
  });

  test("suggests changes with the gain of a run with that change, the largest first", () => {
    const { suggestions } = graded;
    expect(suggestions).toHaveLength(3);
    expect(suggestions[0].text.en).toBe(
      "Call the owner of factory as soon as its fault shows, at 2026-05-19T21:57:00Z",
    );
    // After them all that the best run did.
    expect(suggestions.map(({ source }) => source)).toEqual(["change", "change", "best"]);
    expect(suggestions[2].actions).toEqual(graded.best.acts.map(({ atMs, text }) => ({ atMs, text })));
    expect(suggestions[2].actions.length).toBeGreaterThan(1);
    const gains = suggestions.slice(0, 2).map(({ avoidedKwh }) => avoidedKwh ?? 0);
    expect(gains).toEqual([...gains].sort((a, b) => b - a));
    expect(gains[0]).toBeGreaterThan(300);
  });
});

describe("the time line of a debriefing", () => {
  const eventsOf = (grade: typeof graded, kind: string) =>
    debriefEvents(grade, "en").filter((event) => event.kind === kind);

  test("has the faults of the scenario like those of the drill, and no end of a fault that lasts", () => {
    const texts = (kind: string) => eventsOf(graded, kind).map(({ text }) => text);
    const faults = [
      "factory: connection down",
      "battery-medium: out of service",
      "cold-store: out of service",
      // A scripted outage.
      "battery-large: out of service",
    ];
    expect(texts("kindFault")).toEqual(faults);
    expect(texts("kindNotice")).toEqual(faults);
    // Nobody called the owner of the factory.
    expect(texts("kindEnd")).toEqual([faults[2], faults[3], faults[1]]);
  });

  test("has the fault, and no needless action, of a guided drill that was done step by step", async () => {
    const guided = await gradedScript("first-steps", "pass");
    const [fault] = eventsOf(guided, "kindFault");
    expect([fault.text, isoUtc(fault.atMs)]).toEqual(["cold-store: connection down", "2026-05-20T06:25:00Z"]);
    expect(eventsOf(guided, "kindEnd").map(({ text }) => text)).toEqual(["cold-store: connection down"]);
    expect(guided.effects.map(({ action }) => actionText(guided, action))).toContain("weight of cold-store: 80");
    expect(guided.effects.filter(isIneffective)).toEqual([]);
  });

  test("names a schedule by its request, and uncovered power without a sign", async () => {
    const sun = await gradedScript("sun-that-does-not-come", "pass");
    expect(
      debriefEvents(sun, "en")
        .map(({ text }) => text)
        .join(),
    ).not.toMatch(/[0-9a-f]{32}/);
    const starts = eventsOf(sun, "kindDispatch").map(({ text }) => text);
    expect(starts.some((text) => /^schedule EXCHANGE-DA −[\d,.]+ kW starts: /.test(text))).toBe(true);
    expect(eventsOf(graded, "kindDispatch")[0].text).toBe("morning-reserve starts: 214.3 kW uncovered");
  });
});

/** The grade of a script, without a search for the best. */
function gradedScript(name: string, outcome: "pass" | "fail") {
  const named = readDrill(drillFileOf(name));
  const attempt = executeScript(named, readDrillScript(`scenarios/drills/scripts/${name}.${outcome}.yaml`, named));
  return gradeDrill(named, attempt, { findBest: async (nothing) => ({ run: nothing, runs: 0, acts: [] }) });
}

test("limits and values of a Japanese grade have Japanese units", () => {
  const [, reaction] = JSON.parse(gradeDocuments(graded, "ja", null).json).goals;
  expect(reaction.text).toBe("故障への最長対応時間：12 分以下");
  expect(reaction.value_text).toMatch(/^[\d.]+ 分$/);
});

test("a folded Japanese text has no spaces between its characters", () => {
  const { briefing } = readDrill(drillFileOf("outage-in-an-award"));
  expect(briefing.ja).toContain("引き継ぎの時点では、要求量は");
});

describe("the history of attempts", () => {
  const folder = createTemporaryFolder("history");
  const file = join(folder, "sub", "attempts.jsonl");
  const line = historyLine("Aya", graded);
  const remember = (changes: Partial<HistoryLine>) =>
    rememberAttempt(file, readHistory(file, changes.person ?? "Aya", drill), { ...line, ...changes });

  test("has the attempts of one person at one state of one drill, oldest first, each once", () => {
    expect(readHistory(file, "Aya", drill)).toEqual([]);
    remember({});
    remember({ person: "Ben" });
    remember({ attempt: "second", score: 99 });
    // Graded again.
    remember({});
    remember({ attempt: "of another state", drill_hash: "x" });
    expect(readHistory(file, "Aya", drill).map(({ score }) => score)).toEqual([graded.score, 99]);
    expect(readHistory(file, "Aya", readDrill(drillFileOf("first-steps")))).toEqual([]);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(4);
  });

  const past = (score: number, digest: string) => ({
    score,
    isPassed: false,
    measures: { shortfall_kwh: 812.5 },
    digest,
  });
  const before = [past(12, "a"), past(61.5, "b"), past(40, "c")];

  test("is compared with the attempt, in the page and for programs, always with the same bytes", () => {
    const trainee = { name: "Aya", history: before };
    const { json, debriefing } = gradeDocuments(graded, "en", trainee);
    expect(gradeDocuments(graded, "en", trainee)).toEqual(gradeDocuments(graded, "en", trainee));
    expect(JSON.parse(json).earlier).toEqual({
      attempt: 4,
      last_score: 40,
      best_score: 61.5,
      score_change: Math.round(10 * (graded.score - 40)) / 10,
      attempts: before.map(({ score, measures }) => ({ score, passed: false, measures })),
    });
    expect(debriefing).toContain("Earlier attempts");
    expect(debriefing).toMatch(/Best score before: <data[^>]*>61\.5/);
    expect(gradeDocuments(graded, "ja", trainee).debriefing).toContain("不足のペナルティ");
  });

  test("an attempt that is graded again is compared with those before it, and has the same bytes", () => {
    const history = [...before, past(graded.score, line.attempt), past(99, "later")];
    const [first, again] = [before, history].map((list) =>
      gradeDocuments(graded, "en", { name: "Aya", history: list }),
    );
    expect(again).toEqual(first);
  });

  test("a folder is refused before the drill, not after it", () => {
    const folder = createTemporaryFolder("history");
    expect(() => readHistory(folder, "Aya", drill)).toThrow(`${folder}: found a folder, allowed a history of drills`);
  });

  test("a line that does not fit on the disk is not written in part", ({ skip }) => {
    const disk = mountSmall(8) ?? skip("no file system may be mounted here");
    try {
      const file = join(disk, "attempts.jsonl");
      rememberAttempt(file, [], line);
      // The pages of the file system are 4 KiB: the rest of the last one takes the beginning of the next line.
      appendFileSync(file, " ".repeat(4096 - 100 - statSync(file).size));
      writeFileSync(join(disk, "filling"), Buffer.alloc(spaceOf(disk)));
      const before = readFileSync(file, "utf8");
      expect(() => rememberAttempt(file, [], { ...line, attempt: "second" })).toThrow("ENOSPC");
      expect(readFileSync(file, "utf8")).toBe(before);
      expect(readHistory(file, "Aya", drill)).toHaveLength(1);
    } finally {
      unmountSmall();
    }
  });

  test("a line that is no attempt is an error with its place", () => {
    expect(() => readHistory("package.json", "Aya", drill)).toThrow("package.json:1:1: found another text");
    const file = join(createTemporaryFolder("history"), "attempts.jsonl");
    for (const wrong of [
      { passed: "yes" },
      { score: null },
      { measures: { shortfall_kwh: "<b>" } },
      { measures: null },
    ]) {
      writeFileSync(file, `${JSON.stringify({ ...line, ...wrong })}\n`);
      expect(() => readHistory(file, "Aya", drill)).toThrow(`${file}:1:1: found another text`);
    }
  });
});

describe("the grade for a learning system", () => {
  const json = JSON.parse(gradeDocuments(graded, "en", null).json);

  test("has the time line, the curves, and the suggestions", () => {
    expect(json).not.toHaveProperty("earlier");
    const at = (kind: string) =>
      json.timeline.filter((event: { kind: string }) => event.kind === kind).map((event: { at: string }) => event.at);
    expect(at("fault")).toEqual(
      expect.arrayContaining(json.injects.map((inject: { began_at: string }) => inject.began_at)),
    );
    expect(at("action")).toEqual(json.actions.map((action: { at: string }) => action.at));
    expect(at("notice")).toEqual(
      expect.arrayContaining(json.reactions.map((reaction: { noticed_at: string }) => reaction.noticed_at)),
    );
    expect(json.suggestions).toEqual(
      graded.suggestions.map(({ source, text, avoidedKwh, actions }) => ({
        source,
        text: text.en,
        won_kwh: avoidedKwh,
        actions: actions.map((action) => ({ at: isoUtc(action.atMs), text: action.text.en })),
      })),
    );
  });

  test("has curves from which the shortfall follows", () => {
    for (const key of ["promised_kw", "delivered_kw", "delivered_without_trainee_kw"])
      expect([json.power[0][key][0][0], json.power[0][key].at(-1)[0]]).toEqual([json.period.start, json.period.end]);
    const gap = (atMs: number) =>
      Math.max(0, -curveAt(json.power[0].promised_kw, atMs) + curveAt(json.power[0].delivered_kw, atMs));
    let kwh = 0;
    const [startMs, endMs] = [Date.parse(json.period.start), Date.parse(json.period.end)];
    for (let atMs = startMs + 500; atMs < endMs; atMs += 1_000) kwh += gap(atMs) / 3_600;
    expect(kwh).toBeCloseTo(json.measures.shortfall_kwh, 0);
  });

  test("has the instructor's notes", () => {
    const noted = {
      ...graded,
      attempt: { ...graded.attempt, notes: [{ atMs: drill.startMs + 60_000, text: "calm" }] },
    };
    const { json: text, debriefing } = gradeDocuments(noted, "en", null);
    expect(JSON.parse(text).timeline).toContainEqual({ at: "2026-05-19T21:51:00Z", kind: "note", text: "calm" });
    expect(debriefing).toContain("calm");
  });
});

/** A curve of points at an instant; after a jump, the later value. */
function curveAt(points: readonly (readonly [string, number])[], atMs: number): number {
  const k = points.findLastIndex(([at]) => Date.parse(at) <= atMs);
  const [[at, kw], next] = [points[k], points[k + 1]];
  if (next === undefined) return kw;
  return kw + ((next[1] - kw) * (atMs - Date.parse(at))) / (Date.parse(next[0]) - Date.parse(at));
}

describe("the grade of a client program", () => {
  const checks: ClientCheck[] = [
    { name: "signed_in", isPassed: true, requests: [] },
    {
      name: "waited_after_429",
      isPassed: false,
      requests: [
        {
          atMs: drill.startMs,
          request: "GET /v1/vpp/{id}/status",
          status: 429,
          detail: null,
        },
      ],
    },
    { name: "resumed_telemetry", isPassed: false, requests: [] },
  ];
  const ofProgram = { ...graded, client: { failed: 2, checks: 3, list: checks } };

  test.each(["en", "ja"] as const)("states the expectation, the requests and what would pass, in %s", (language) => {
    const words = (key: DebriefText) => DEBRIEF_TEXTS[key][language];
    const html = renderDebriefing(ofProgram, { language, earlier: [] }).replaceAll("&amp;", "&");
    for (const document of [gradeText(ofProgram, language), html]) {
      expect(document).toContain("GET /v1/vpp/{id}/status: 429");
      expect(document).toContain(words("checkNothingSeen"));
      for (const name of ["waited_after_429", "resumed_telemetry"] as const)
        for (const { [language]: sentence } of [CLIENT_CHECK_TEXTS[name].expected, CLIENT_CHECK_TEXTS[name].toPass])
          expect(document).toContain(sentence);
      // A program acts by its requests: what a person could have done is of no use to it.
      expect(document).not.toContain(words("effects"));
      expect(document).not.toContain(FORESIGHT_NOTE[language]);
    }
    const { expected } = CLIENT_CHECK_TEXTS.signed_in;
    expect(gradeText(ofProgram, language)).not.toContain(expected[language]);
  });
});
