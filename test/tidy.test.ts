import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { needing } from "./needing.ts";
import { booleanParameters, FUNCTION_LINES_MAX, longFunctions } from "./tidyFunctions.ts";
import {
  bannedUses,
  blankScans,
  engineMath,
  filesUnder,
  formattingViolations,
  formerWords,
  importCycles,
  importOrderViolations,
  importsOf,
  kindImports,
  kindTests,
  loadedWith,
  markupUses,
  misplacedLuxonImports,
  nodeImports,
  PROJECT_ROOT,
  privateFieldUses,
  type SourceFile,
  sourcesUnder,
  unusedExports,
} from "./tidySource.ts";
import { quantitiesWithoutUnit } from "./tidyUnits.ts";

const sources = sourcesUnder("src");

/** Files that are started by name, not imported. */
const ENTRIES = [
  "src/index.ts",
  "src/api/client/index.ts",
  "src/browser/index.ts",
  "src/browser/worker.ts",
  "src/cli/main.ts",
  "src/dashboard/main.tsx",
  "src/dashboard/report/page.ts",
  "src/dashboard/report/timeCharts.ts",
  "src/playground/frame/followLinks.ts",
  "src/playground/head/startWorker.ts",
  "src/inputs/datagen/disk/main.ts",
  "src/inputs/datagen/disk/writeSchemas.ts",
  "src/playground/main.tsx",
];

/** Longer than the rest, with the reason. */
const LONG_FILES: Readonly<Record<string, string>> = {};

/** Fields that name a quantity without its unit, with the reason. */
const QUANTITIES_WITHOUT_UNIT: Readonly<Record<string, string>> = {
  "src/accounting/kpis/kpi.ts: activated": "a part of an invoice by its name; the market has the currency",
  "src/accounting/kpis/kpi.ts: energy": "likewise",
  "src/accounting/kpis/kpi.ts: imbalance": "likewise",
  "src/accounting/kpis/kpi.ts: capacity": "likewise",
  "src/api/client/apiError.ts: limit": "a count of requests",
  "src/api/http/limits/rateLimits.ts: limit": "a count of requests",
  "src/dashboard/pages/instructor/malfunction.ts: limit": "its unit is that of the chosen condition",
  "src/engine/device/battery/batteryAgeing.ts: cRate": "a multiple of the capacity per hour, which the field calls so",
  "src/market/plan/planFlags.ts: fee": "an option of the command line",
  "src/market/plan/planFlags.ts: reservePrice": "an option of the command line",
  "src/study/study.ts: limit": "its unit is that of the key figure",
  "src/twin/shadow/shadowVpp.ts: soc": "a key of drift.jsonl, as the APIs have it",
};

/** Functions that take a boolean, with the reason. */
const BOOLEAN_PARAMETERS: Readonly<Record<string, string>> = {
  "src/base/assert.ts: boolean parameter condition": "the condition is its subject",
};

/** Functions that are longer than others may be, with the reason. */
const LONG_FUNCTIONS: Readonly<Record<string, string>> = {
  "src/live/drill/gradeJson.ts: gradeJson": "one entry for each field of the file",
};

/** Files that tell kinds apart, with the reason. */
const KIND_TEST_FILES: Readonly<Record<string, string>> = {};

/** Packages that are loaded with a file, without Node's own. */
const packagesOf = (path: string): string[] =>
  [...loadedWith(path, sources)].filter((name) => !name.startsWith("src/") && !name.startsWith("node:")).sort();

describe("the command line", () => {
  test("loads nothing but its own parts before it knows the command", () => {
    expect(packagesOf("src/cli/main.ts")).toEqual([]);
    expect(packagesOf("src/cli/program.ts")).toEqual(["commander"]);
    expect(loadedWith("src/cli/program.ts", sources).size).toBeLessThan(12);
  });

  test("loads neither the server nor pages nor studies to check a scenario", () => {
    const ofScenarios = ["@holiday-jp/holiday_jp", "csv-parse/sync", "fastest-levenshtein", "luxon", "yaml"];
    expect(packagesOf("src/cli/validateCommand.ts")).toEqual(ofScenarios);
    const elsewhere = /^src\/(api\/http|live|study|market\/plan|inputs\/datagen|report\/html\/(charts|sections))\//;
    expect([...loadedWith("src/cli/validateCommand.ts", sources)].filter((path) => elsewhere.test(path))).toEqual([]);
    expect(packagesOf("src/cli/runCommand.ts")).toEqual([...ofScenarios, "csv-stringify/sync", "xstate"].sort());
    expect([...loadedWith("src/cli/runCommand.ts", sources)].filter((path) => elsewhere.test(path))).toEqual([]);
  });
});

describe("the source", () => {
  test("is found", () => expect(sources.length).toBeGreaterThan(100));

  test("imports only along the list of rooms", () => expect(sources.flatMap(importOrderViolations)).toEqual([]));

  test("needs Node in none of the rooms that run in a browser too", () =>
    expect(sources.flatMap(nodeImports)).toEqual([]));

  test("has no files that import each other in a circle", () => expect(importCycles(sources)).toEqual([]));

  test("reads neither the wall clock nor a random source nor the locale", () =>
    expect(sources.flatMap(bannedUses)).toEqual([]));

  test("computes elementary functions the same in every engine", () => expect(sources.flatMap(engineMath)).toEqual([]));

  test("searches no text in time that is quadratic in its blanks", () =>
    expect(sources.flatMap(blankScans)).toEqual([]));

  test("uses luxon at the edges only", () => expect(sources.flatMap(misplacedLuxonImports)).toEqual([]));

  test("has no type any, no open ends and no endless files", () =>
    expect(sources.filter(({ path }) => !(path in LONG_FILES)).flatMap(formattingViolations)).toEqual([]));

  test("tests components for capabilities, not for kinds", () =>
    expect(sources.filter(({ path }) => !(path in KIND_TEST_FILES)).flatMap(kindTests)).toEqual([]));

  test("names the files of a component kind in the registry alone", () =>
    expect(sources.flatMap(kindImports)).toEqual([]));

  test("excuses no file from that which has no test for a kind", () =>
    expect(
      Object.keys(KIND_TEST_FILES).filter(
        (path) => sources.filter((source) => source.path === path).flatMap(kindTests).length === 0,
      ),
    ).toEqual([]));

  test("says in the names of quantities in which unit they are", () =>
    expect([...new Set(sources.flatMap(quantitiesWithoutUnit))]).toEqual(Object.keys(QUANTITIES_WITHOUT_UNIT)));

  test("has no boolean parameter that selects behaviour", () =>
    expect(sources.flatMap(booleanParameters)).toEqual(Object.keys(BOOLEAN_PARAMETERS)));

  test(`has no function of more than ${FUNCTION_LINES_MAX} lines`, () =>
    expect(sources.flatMap(longFunctions)).toEqual(
      Object.keys(LONG_FUNCTIONS).map((name) => expect.stringContaining(name)),
    ));

  test("makes no markup of texts in the playground", () => expect(sources.flatMap(markupUses)).toEqual([]));

  test("hides no member from a copy of a run", () => expect(sources.flatMap(privateFieldUses)).toEqual([]));

  test("uses the words of the field, like the tests and the documents", () => {
    const files = [
      ...["src", "test", "bench"].flatMap((folder) => filesUnder(folder, /\.(ts|tsx|mts|js|css|md)$/)),
      ...filesUnder("docs", /\.md$/),
    ];
    expect(files.filter(({ path }) => !path.startsWith("test/tidy")).flatMap(formerWords)).toEqual([]);
  });

  test("exports only what another file uses", () => {
    // Shapes of the sandbox's bodies, for clients.
    const exported = sources.filter(({ path }) => !/^src\/session\/sandbox(Reads|Commands)\.ts$/.test(path));
    const uses = ["src", "test", "bench", "build"].flatMap(sourcesUnder);
    expect(unusedExports(exported, uses)).toEqual([]);
  });

  test("has no dead files", () => {
    const used = new Set(
      [...sources, ...sourcesUnder("bench")].flatMap((source) => importsOf(source).map(({ target }) => target)),
    );
    const tested = new Set(sourcesUnder("test").flatMap((source) => importsOf(source).map(({ target }) => target)));
    const dead = sources.filter(({ path }) => !used.has(path) && !ENTRIES.includes(path) && !path.endsWith(".d.ts"));
    // A file that only tests use is printed, and does not fail.
    const waiting = dead.filter(({ path }) => tested.has(path)).map(({ path }) => path);
    if (waiting.length > 0) console.info(`only tests use: ${waiting.join(", ")}`);
    expect(dead.map(({ path }) => path).filter((path) => !waiting.includes(path))).toEqual([]);
  });
});

const tracked = spawnSync("git", ["ls-files"], { cwd: PROJECT_ROOT, encoding: "utf8" });

needing("a git checkout", tracked.status === 0).describe("the repository", () => {
  test("has at its top what ARCHITECTURE.md and the tools expect, and nothing that a run left behind", () => {
    const entries = new Set(
      tracked.stdout
        .trim()
        .split("\n")
        .map((path) => path.split("/")[0]),
    );
    const folders = [".ci", "bench", "build", "data", "docs", "reports", "scenarios", "site", "src", "test"];
    const texts = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.ja.md", "README.md"];
    const settings = [".gitignore", ".npmrc", ".nvmrc", "biome.json", "package-lock.json", "package.json"];
    const others = [...entries].filter((entry) => ![...folders, ...texts, ...settings].includes(entry));
    expect(
      others.filter((entry) => !/^(tsconfig|vite|vitest|rolldown)\.?[a-z]*\.(json|config\.ts|ts)$/.test(entry)),
    ).toEqual([]);
  });
});

describe("the lock files", () => {
  test.each(["package-lock.json", "site/package-lock.json"])(
    "%s names no registry, so that any mirror serves",
    (path) => {
      const lock = readFileSync(join(PROJECT_ROOT, path), "utf8");
      expect(lock).not.toMatch(/"resolved"/);
      expect(lock).not.toMatch(/https?:\/\/registry\./);
    },
  );
});

describe("the rules find a violation", () => {
  const file = (path: string, ...lines: string[]): SourceFile => ({ path, text: lines.join("\n") });

  test.each([
    [
      "an import against the order",
      importOrderViolations,
      file("src/engine/kernel/a.ts", "", 'import { x } from "../site/b.ts";'),
      "src/engine/kernel/a.ts:2 imports src/engine/site/b.ts",
    ],
    [
      "a re-export against the order",
      importOrderViolations,
      file("src/base/a.ts", 'export * from "../engine/simulation/b.ts";'),
      "src/base/a.ts:1",
    ],
    [
      "a page that reaches inside",
      importOrderViolations,
      file("src/dashboard/a.tsx", 'import { x } from "../live/session/b.ts";'),
      "api/client, dashboard, src/report/html/charts/chartJson.ts may",
    ],
    [
      "a command that imports the page",
      importOrderViolations,
      file("src/cli/a.ts", 'import { x } from "../dashboard/b.tsx";'),
      "src/cli/a.ts:1",
    ],
    ["Node in the engine", nodeImports, file("src/engine/site/a.ts", 'import "node:fs";'), "src/engine/site/a.ts"],
    ["Node in a page", nodeImports, file("src/report/html/a.ts", 'import("node:fs")'), "imports node:fs"],
    [
      "a file of Node's folder",
      nodeImports,
      file("src/report/a.ts", 'import "../platform/node/b.ts"'),
      "platform/node/b",
    ],
    ["a global of Node", nodeImports, file("src/base/a.ts", "Buffer.from(x)"), "imports Buffer"],
    ["an unlisted folder", importOrderViolations, file("src/misc/a.ts"), "not in the list of rooms"],
    [
      "a wall clock",
      bannedUses,
      file("src/engine/simulation/a.ts", "const now = Date.now();"),
      "src/engine/simulation/a.ts:1 uses Date.now: take the world's nowMs",
    ],
    ["a date of now", bannedUses, file("src/engine/simulation/a.ts", "const now = new Date();"), "new Date()"],
    ["dice", bannedUses, file("src/engine/site/a.ts", "return Math.random() < p;"), "a named stream"],
    ["a locale", bannedUses, file("src/report/a.ts", "names.sort((a, b) => a.localeCompare(b));"), "unique key"],
    [
      "a sine of the engine",
      engineMath,
      file("src/engine/device/a.ts", "", "const x = Math.sin(y);"),
      "src/engine/device/a.ts:2 uses Math.sin: take sin of src/base/elementary.ts",
    ],
    ["a hyperbolic function", engineMath, file("src/study/a.ts", "Math.atanh(y)"), "uses Math.atanh"],
    ["a cube of the engine", engineMath, file("src/report/a.ts", "const x = (y + 1) ** 3;"), "take pow of"],
    ["a power of 2.5", engineMath, file("src/accounting/a.ts", "x **= 2.5;"), "an exponent other than 2"],
    [
      "an excuse without a reason",
      bannedUses,
      file("src/engine/simulation/a.ts", "Date.now(); // not simulated:"),
      "Date.now",
    ],
    [
      "blanks before an end",
      blankScans,
      file("src/inputs/formats/a.ts", "const end = /\\)\\s*$/.exec(text);"),
      "a.ts:1",
    ],
    ["blanks about a sign", blankScans, file("src/api/http/a.ts", "text.split(/ *; */)"), "trim"],
    ["markup from a text", markupUses, file("src/playground/a.tsx", "element.innerHTML = name;"), "uses innerHTML"],
    [
      "a page that reaches for the dashboard's pages",
      importOrderViolations,
      file("src/playground/a.tsx", 'import { x } from "../dashboard/pages/b.tsx";'),
      "src/playground/a.tsx:1",
    ],
    [
      "luxon inside",
      misplacedLuxonImports,
      file("src/engine/simulation/a.ts", 'import { DateTime } from "luxon";'),
      "imports luxon",
    ],
    [
      "a former word",
      formerWords,
      file("src/engine/vpp/a.ts", "", "/** Sites that were told. */"),
      "src/engine/vpp/a.ts:2 says told",
    ],
    ["any", formattingViolations, file("src/engine/simulation/a.ts", "const x: any = 1;"), "type any"],
    [
      "any in brackets",
      formattingViolations,
      file("src/engine/simulation/a.ts", "const x = new Map<string, any>();"),
      "type any",
    ],
    [
      "an endless file",
      formattingViolations,
      file("src/engine/simulation/a.ts", ...new Array<string>(501).fill("")),
      "501 lines",
    ],
    [
      "a quantity without its unit",
      quantitiesWithoutUnit,
      file("src/market/a.ts", "interface Bid {", "  readonly reservePrice: number | null;", "}"),
      "src/market/a.ts: reservePrice",
    ],
    [
      "a constant without its unit",
      quantitiesWithoutUnit,
      file("src/market/a.ts", "export const minDuration = 30;"),
      "minDuration",
    ],
    [
      "a flag",
      booleanParameters,
      file("src/market/a.ts", "const settle = (kwh: number, isGross: boolean) => kwh;"),
      "src/market/a.ts: boolean parameter isGross",
    ],
    [
      "a flag that may be left out",
      booleanParameters,
      file("src/market/a.ts", "class A {", "  constructor(isGross = false) {}", "}"),
      "boolean parameter isGross",
    ],
    [
      "a long function",
      longFunctions,
      file("src/market/a.ts", "function settle() {", ...new Array<string>(FUNCTION_LINES_MAX).fill("  f();"), "}"),
      `settle has ${FUNCTION_LINES_MAX + 2} lines`,
    ],
    [
      "a test for a kind",
      kindTests,
      file("src/engine/vpp/a.ts", 'if (unit.kind === "battery") return 1;'),
      "src/engine/vpp/a.ts:1",
    ],
    ["a case of a kind", kindTests, file("src/engine/vpp/a.ts", 'case "consumer":'), "tests for a kind"],
    [
      "a field that some kinds have",
      kindTests,
      file("src/engine/vpp/a.ts", 'if ("subsidy" in spec) return;'),
      "in spec",
    ],
    [
      "a class of a kind in a site of several",
      kindImports,
      file("src/engine/site/composite/a.ts", 'import type { B } from "../components/battery/batteryComponent.ts";'),
      "src/engine/site/composite/a.ts:1 imports",
    ],
    [
      "a hidden field of a run",
      privateFieldUses,
      file("src/engine/site/a.ts", "class A {", "  readonly #kw = 1;"),
      "private, not #",
    ],
  ] as const)("at %s", (_, check, source, complaint) => {
    expect(check(source).join("\n")).toContain(complaint);
  });

  test.each([
    ["Node in its folder", nodeImports, file("src/platform/node/a.ts", 'import "node:fs";')],
    ["Node in a command", nodeImports, file("src/cli/a.ts", 'import "node:fs";')],
    [
      "an import along the order",
      importOrderViolations,
      file("src/engine/site/a.ts", 'import { x } from "../kernel/b.ts";'),
    ],
    ["a page and the client", importOrderViolations, file("src/dashboard/a.tsx", 'import "../api/client/b.ts";')],
    ["the index", importOrderViolations, file("src/index.ts", 'export * from "./cli/b.ts";')],
    [
      "a date of something",
      bannedUses,
      file("src/engine/simulation/a.ts", "const text = new Date(atMs).toISOString();"),
    ],
    ["an excuse", bannedUses, file("src/report/a.ts", "// not simulated: how long the run took", "performance.now();")],
    [
      "a comment that names it",
      bannedUses,
      file("src/engine/simulation/a.ts", "/** Never Math.random. */", " * nor Date.now"),
    ],
    ["a wall clock in the command line", bannedUses, file("src/cli/a.ts", "Date.now();")],
    [
      "what all engines compute alike",
      engineMath,
      file("src/engine/device/a.ts", "Math.sqrt(x ** 2 + (y + 1) ** 2)", 'const mark = "**";', "/** Not Math.sin. */"),
    ],
    ["the page", engineMath, file("src/dashboard/a.ts", "Math.log10(x)")],
    [
      "blanks at a start, or alone",
      blankScans,
      file(
        "src/inputs/formats/a.ts",
        "/^\\s*[[{]/.test(text) || /sequence\\s*/.test(text.split(/\\s+/)[0])",
        "a / b / (c  * d)",
      ),
    ],
    [
      "any other word",
      formattingViolations,
      file("src/engine/simulation/a.ts", "// For any award, as any reader knows", "const many = 1;"),
    ],
    ["a word that contains a former one", formerWords, file("src/engine/vpp/a.ts", "const displayed = toldKw;")],
    ["a kind named in its folder", kindTests, file("src/engine/site/components/battery/a.ts", 'kind === "battery"')],
    [
      "the interface of a role",
      kindImports,
      file("src/engine/site/composite/a.ts", 'import type { PlantPart } from "../components/parts.ts";'),
    ],
    ["another kind of kind", kindTests, file("src/engine/vpp/a.ts", 'instruction.kind === "schedule"')],
    [
      "a quantity with its unit, or of the wire",
      quantitiesWithoutUnit,
      file("src/market/a.ts", "  readonly powerKw: number;", "  readonly rated_power: number;", "  energy: Series;"),
    ],
    [
      "a named option",
      booleanParameters,
      file("src/market/a.ts", "function settle({ isGross }: { isGross: boolean }): boolean {}"),
    ],
    ["a colour", privateFieldUses, file("src/dashboard/a.ts", "const GRID =", '  "#d0d0d0";')],
  ] as const)("not at %s", (_, check, source) => {
    expect(check(source)).toEqual([]);
  });

  test("at a name that only its own file uses, and not at one that a test uses", () => {
    const a = file("src/vpps/a.ts", "export const used = 1;", "export interface Unused {}", "const b: Unused = {};");
    const uses = [a, file("test/vpps/a.test.ts", 'import { used } from "../../src/vpps/a.ts";')];
    expect(unusedExports([a], uses)).toEqual(["src/vpps/a.ts exports Unused, which no other file names"]);
  });

  test("at files in a circle, and not at a diamond", () => {
    const a = file("src/engine/site/a.ts", 'import type { B } from "./b.ts";', 'import { c } from "./c.ts";');
    const b = file("src/engine/site/b.ts", 'import { d } from "./d.ts";');
    const c = file("src/engine/site/c.ts", 'import { d } from "./d.ts";');
    const d = file("src/engine/site/d.ts", "export const d = 1;");
    expect(importCycles([a, b, c, d])).toEqual([]);
    const back = file("src/engine/site/d.ts", 'import type { A } from "./a.ts";');
    expect(importCycles([a, b, c, back])).toEqual([
      "src/engine/site/a.ts -> src/engine/site/b.ts -> src/engine/site/d.ts -> src/engine/site/a.ts",
    ]);
  });
});
