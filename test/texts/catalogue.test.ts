import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { MARKET_NAMES, MARKETS } from "../../src/market/marketRegistry.ts";
import { shippedFiles } from "../../src/platform/node/diskFiles.ts";
import { textsIn } from "../../src/report/html/page/pageLocale.ts";
import { parameterSetTitle } from "../../src/report/settle/settlementWords.ts";
import { CATALOGUE, textOf } from "../../src/texts/catalogue.ts";

const SRC = join(import.meta.dirname, "../../src");
const sourcesUnder = (folder: string): readonly { name: string; text: string }[] =>
  readdirSync(join(SRC, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && entry.parentPath !== join(SRC, "texts"))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: relative(SRC, path), text: readFileSync(path, "utf8") };
    });
const allSources = sourcesUnder("");
/** The pages of the control room and of the playground. Words of reports come from the page that their scripts are in. */
const files = allSources.filter(({ name }) => /^(playground|dashboard\/(?!report\/))/.test(name));
const sources = allSources.map(({ text }) => text).join("\n");

/** Attributes that a person sees or hears. */
const SPOKEN = new Set(["title", "aria-label", "label", "placeholder", "alt", "description", "aria-roledescription"]);
/** Properties whose values are CSS or classes. */
const STYLES = /^(className|bd|border\w*|inset|overflow|gridTemplateColumns)$/;
const LETTERS = /\p{L}{2,}/u;
const PHRASE = /\p{Ll}{2,} \p{Ll}{2,}/u;

/** Texts of a source that a person would see and that are not from the catalogue. */
function ownTexts(name: string, text: string): string[] {
  const found: string[] = [];
  const add = (words: string, pattern: RegExp) => pattern.test(words) && found.push(`${name}: ${words.trim()}`);
  const visit = (node: ts.Node): void => {
    // A person does not see what is thrown; classes and paths are no words.
    if (ts.isThrowStatement(node) || ts.isImportDeclaration(node)) return;
    if ((ts.isPropertyAssignment(node) || ts.isJsxAttribute(node)) && STYLES.test(node.name.getText())) return;
    if (ts.isJsxText(node)) add(node.text, LETTERS);
    else if (ts.isJsxAttribute(node)) {
      const isSpoken = SPOKEN.has(node.name.getText());
      if (!isSpoken && node.initializer !== undefined && ts.isStringLiteral(node.initializer)) return;
      if (isSpoken && node.initializer !== undefined && ts.isStringLiteral(node.initializer))
        add(node.initializer.text, LETTERS);
    } else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) add(node.text, PHRASE);
    else if (ts.isTemplateExpression(node) && isShown(node))
      for (const part of [node.head, ...node.templateSpans.map(({ literal }) => literal)]) add(part.text, LETTERS);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found;
}

/** Whether an expression is a child of an element, or the value of an attribute that a person sees. */
function isShown({ parent }: ts.Node): boolean {
  if (!ts.isJsxExpression(parent)) return false;
  return !ts.isJsxAttribute(parent.parent) || SPOKEN.has(parent.parent.name.getText());
}

/** Same in both languages, because it is a name or a value alone. */
const EQUAL = [
  "app.name",
  "app.title",
  "app.station",
  "clock.speed_value",
  "caption.separator",
  "glossary.vpp.term",
  "glossary.fcr.term",
  "glossary.soc.term",
  "award.cause_at",
  "award.cause_alone",
  "chart.block",
  "chart.block_plain",
];

const entries = Object.entries(CATALOGUE);
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe("the catalogue of texts", () => {
  test("has each text in both languages", () => {
    const same = entries.filter(([, { en, ja }]) => en === ja || en.trim() === "" || ja.trim() === "");
    expect(same.map(([key]) => key)).toEqual(EQUAL);
  });

  test("names the same values in both languages", () => {
    const unequal = entries.filter(([, { en, ja }]) => placeholders(en).join() !== placeholders(ja).join());
    expect(unequal.map(([key]) => key)).toEqual([]);
  });

  test("has no text that nothing shows", () => {
    const named = new Set([...sources.matchAll(/"([a-z_]+\.[a-z0-9_.]+)"/g)].map(([, key]) => key));
    const prefixes = [...sources.matchAll(/`([a-z_]+\.[a-z0-9_.]*)\$\{/g)].map(([, prefix]) => prefix);
    const unused = entries.filter(([key]) => !named.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)));
    expect(unused.map(([key]) => key)).toEqual([]);
  });

  test("says what each parameter of a settlement is, and of no other", () => {
    const labelled = entries.flatMap(([key]) => (key.startsWith("parameter.") ? [key.slice("parameter.".length)] : []));
    const names = Object.values(MARKETS).flatMap(({ parametersSchema }) => Object.keys(parametersSchema.properties));
    expect(labelled.sort()).toEqual([...new Set(names)].sort());
  });

  test("has the title of each shipped parameter set", () => {
    const paths = MARKET_NAMES.flatMap((market) => [...shippedFiles(`markets/${market}`).values()]);
    const titles = paths.map((path): string => parse(readFileSync(path, "utf8")).title);
    expect(titles.map((title) => parameterSetTitle(title, textsIn("en").t))).toEqual(titles);
    // In Japanese none is as the file has it.
    expect(titles.filter((title) => parameterSetTitle(title, textsIn("ja").t) === title)).toEqual([]);
    expect(parameterSetTitle("日本、自社の値", textsIn("ja").t)).toBe("日本、自社の値");
  });

  test("describes each example of the playground as its file does", () => {
    const paths = ["quickstart", "mixed-week", "features", "studies"].flatMap((folder) =>
      readdirSync(join(SRC, "../scenarios", folder))
        .filter((name) => name.endsWith(".yaml") && !name.endsWith(".study.yaml"))
        .map((name) => join(SRC, "../scenarios", folder, name)),
    );
    const described = paths.map((path): [string, string] => {
      const { name, description } = parse(readFileSync(path, "utf8"));
      return [`example.${name.replaceAll("-", "_")}`, description];
    });
    const listed = entries.filter(([key]) => key.startsWith("example.")).map(([key, { en }]) => [key, en]);
    expect(listed.sort()).toEqual(described.sort());
  });

  test("is where all words of the page stand", () => {
    expect(files.flatMap(({ name, text }) => ownTexts(name, text))).toEqual([]);
  });

  test.each([
    "<p>Two words</p>",
    '<p title="Word" />',
    ["<p>{`$", "{kw} kilowatts`}</p>"].join(""),
    'const text = isLate ? "comes too late" : "";',
  ])("is missed by %s", (source) => expect(ownTexts("a.tsx", source)).toHaveLength(1));

  test("puts values in their places, and leaves unknown ones", () => {
    expect(textOf("en", "clock.next_award", { time: "11:00" })).toBe("Next award: 11:00");
    expect(textOf("ja", "clock.next_award", {})).toBe("次の約定：{time}");
  });
});
