import { test } from "vitest";

const DOCUMENTS = ["VPP API 1.4", "Site API 2.2", "Site API 1.13"] as const;
/** The three documents, as they are named in tests. */
export type Document = (typeof DOCUMENTS)[number];

const gaps: string[] = [];
const counts = new Map<string, number>();

/** The rules of one section of one document: each is a test, and is counted. */
export function sectionOf(document: Document, section: string) {
  const name = (rule: string) => `${document}, ${section}: ${rule}`;
  const count = () => counts.set(`${document}|${section}`, (counts.get(`${document}|${section}`) ?? 0) + 1);
  return {
    rule(rule: string, check: () => Promise<void> | void): void {
      count();
      test(name(rule), check);
    },
    /** A rule that the server does not keep yet: its test fails when it does, and is to be made a rule then. */
    gap(rule: string, check: () => Promise<void>): void {
      gaps.push(name(rule));
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

/** Rules that are known to be broken, by name. */
export const knownGaps = (): readonly string[] => gaps;

/** The rules that were declared so far, by document and section, as a table in Markdown. */
export function tallyTable(): string {
  const rank = (key: string) => DOCUMENTS.findIndex((document) => key.startsWith(document));
  // By document, within it in the order of declaration.
  const sorted = [...counts].sort(([a], [b]) => rank(a) - rank(b));
  const rows = sorted.map(([key, count]) => `| ${key.replace("|", " | ")} | ${count} |`);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return ["| document | section | rules |", "|---|---|--:|", ...rows, `| all | | ${total} |`].join("\n");
}
