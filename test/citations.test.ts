import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "./tidySource.ts";

interface TextFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** What a clone does not have: nothing may cite it. */
const FOREIGN =
  /\b(?:decisions\.md|interfaces\.md|(?:vpp|site)-api-v\d|(?<!docs\/model\/)(?:accounting|models)\.md §|shared\/(?:spec|house))/;

function textFiles(folder: string, pattern: RegExp): TextFile[] {
  return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => readText(relative(PROJECT_ROOT, join(entry.parentPath, entry.name))))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const readText = (path: string): TextFile => ({
  path: path.replaceAll("\\", "/"),
  text: readFileSync(join(PROJECT_ROOT, path), "utf8"),
});

const pages = [
  ...textFiles("docs", /\.md$/),
  ...readdirSync(PROJECT_ROOT)
    .filter((name) => name.endsWith(".md"))
    .map(readText),
  ...["test", "bench", "data", "reports", "scenarios"]
    .filter((folder) => existsSync(join(PROJECT_ROOT, folder)))
    .flatMap((folder) => textFiles(folder, /\.md$/)),
];
const sources = ["src", "test", "bench"].flatMap((folder) => textFiles(folder, /\.(ts|tsx|mts)$/));

/** The anchor that GitHub makes from a heading. */
const headingAnchor = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = new Map<string, ReadonlySet<string>>();

function hasAnchor(page: string, anchor: string): boolean {
  let anchors = anchorsOf.get(page);
  if (anchors === undefined) {
    const { text } = readText(page);
    const explicit = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id);
    const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => headingAnchor(heading));
    anchors = new Set([...explicit, ...headings]);
    anchorsOf.set(page, anchors);
  }
  return anchors.has(anchor);
}

/** What a target is missing: the file or the anchor; `null` where it resolves. */
function missing(page: string, anchor: string | undefined): string | null {
  if (!existsSync(join(PROJECT_ROOT, page))) return `${page} does not exist`;
  if (anchor === undefined || !page.endsWith(".md") || hasAnchor(page, anchor)) return null;
  return `${page} has no anchor #${anchor}`;
}

function unresolvedCitations({ path, text }: TextFile): string[] {
  return [...text.matchAll(/(?<![\w./-])docs\/[\w/-]+\.md(?:#([\w-]+))?/g)].flatMap(([cited, anchor]) => {
    const problem = missing(cited.split("#")[0], anchor);
    return problem === null ? [] : [`${path} cites ${cited}: ${problem}`];
  });
}

function unresolvedLinks({ path, text }: TextFile): string[] {
  const prose = text.replace(/^```.*?^```/gms, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [target, anchor] = link.split("#");
    const page = target === "" ? path : normalize(join(dirname(path), target)).replaceAll("\\", "/");
    const problem = missing(page, anchor);
    return problem === null ? [] : [`${path} links to ${link}: ${problem}`];
  });
}

function foreignCitations({ path, text }: TextFile): string[] {
  return text.split("\n").flatMap((line, k) => (FOREIGN.test(line) ? [`${path}:${k + 1} ${line.trim()}`] : []));
}

const own = "test/citations.test.ts";

describe("citations", () => {
  test("the pages and the sources are found", () => {
    expect(pages.length).toBeGreaterThan(20);
    expect(sources.length).toBeGreaterThan(400);
  });

  test("every page and anchor that a source or page cites exists", () =>
    expect([...sources, ...pages].filter(({ path }) => path !== own).flatMap(unresolvedCitations)).toEqual([]));

  test("every relative link of a page resolves", () => expect(pages.flatMap(unresolvedLinks)).toEqual([]));

  test("nothing cites a document that a clone does not have", () =>
    expect([...sources, ...pages].filter(({ path }) => path !== own).flatMap(foreignCitations)).toEqual([]));
});

describe("the checks report", () => {
  const file = (path: string, text: string): TextFile => ({ path, text });

  test.each([
    ["a page that does not exist", unresolvedCitations, file("src/a.ts", "// docs/model/none.md"), "does not exist"],
    ["an anchor that does not exist", unresolvedCitations, file("src/a.ts", "// docs/model/time.md#none"), "no anchor"],
    ["a broken link", unresolvedLinks, file("docs/model/a.md", "[x](none.md)"), "does not exist"],
    ["a broken anchor of the own page", unresolvedLinks, file("docs/model/time.md", "[x](#none)"), "no anchor"],
    ["a foreign document", foreignCitations, file("src/a.ts", "// see decisions.md 12"), "src/a.ts:1"],
  ] as const)("%s", (_, check, source, complaint) => {
    expect(check(source).join("\n")).toContain(complaint);
  });

  test("and accept what resolves", () => {
    expect(unresolvedCitations(file("src/a.ts", "// docs/model/time.md#rounding"))).toEqual([]);
    expect(unresolvedLinks(file("docs/model/a.md", "[x](time.md#rounding) [y](https://example.org)"))).toEqual([]);
  });
});
