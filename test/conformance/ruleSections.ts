import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

/** The three documents, as they are named in tests. */
export type Document = "VPP API 1.4" | "Site API 2.2" | "Site API 1.13";

const gaps = new Map<Document, string[]>();
/** Rules of each section, by document in the order of declaration. */
const counts = new Map<Document, Map<string, number>>();

/** The rules of one section of one document: each is a test, and is counted. */
export function sectionOf(document: Document, section: string) {
  const name = (rule: string) => `${document}, ${section}: ${rule}`;
  const count = () => {
    const sections = counts.get(document) ?? new Map<string, number>();
    counts.set(document, sections.set(section, (sections.get(section) ?? 0) + 1));
  };
  return {
    rule(rule: string, check: () => Promise<void> | void): void {
      count();
      test(name(rule), check);
    },
    /** A rule that the server does not follow yet: its test fails once the server does, and becomes a rule then. */
    gap(rule: string, check: () => Promise<void>): void {
      gaps.set(document, [...(gaps.get(document) ?? []), `${section}: ${rule}`]);
      test.fails(name(rule), check);
    },
    /** One rule a row; the row begins with its words. */
    rules<Row extends readonly [string, ...unknown[]]>(
      rows: readonly Row[],
      check: (...row: Row) => Promise<void> | void,
    ): void {
      for (const row of rows) {
        count();
        test(name(row[0]), () => check(...row));
      }
    },
  };
}

const README = new URL("../README.md", import.meta.url);

/** The table of test/README.md has the rules that were declared: declare this last. UPDATE_GOLDEN=1 writes the table. */
export function checkReadme(document: Document): void {
  // Other files of this worker declare rules of their own documents.
  afterAll(() => {
    counts.delete(document);
    gaps.delete(document);
  });
  test(`test/README.md has the number of rules of ${document} by section`, () => {
    const text = readFileSync(README, "utf8");
    const place = new RegExp(`(<!-- rules of ${document} -->\n)[\\s\\S]*?(\n<!-- end -->)`);
    expect(text).toMatch(place);
    const renewed = text.replace(
      place,
      (_, before: string, after: string) => `${before}\n${tableOf(document)}\n${after}`,
    );
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(README, renewed);
    else expect(text).toBe(renewed);
  });
}

/** The rules that were declared so far and those not followed yet, in Markdown. */
function tableOf(document: Document): string {
  const sections = [...(counts.get(document) ?? [])];
  const total = sections.reduce((sum, [, count]) => sum + count, 0);
  const rows = [...sections, [`all of ${document}`, total]].map(([section, count]) => `| ${section} | ${count} |`);
  const missing = (gaps.get(document) ?? []).map((gap) => `\n- not followed yet: ${gap}`);
  return ["| section | rules |", "|---|--:|", ...rows, ...missing].join("\n");
}
