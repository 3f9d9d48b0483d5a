import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { type FormatReading, readFormatFile } from "../../src/inputs/formats/readFormatFile.ts";
import { detectFormats, FORMATS, formatById } from "../../src/inputs/formats/registry.ts";
import { runs } from "../depth.ts";
import { needingShared } from "../needing.ts";
import { PROJECT_ROOT } from "../tidySource.ts";
import { readText, seriesOf, type TextFile } from "./readText.ts";
import { VALID_FILES } from "./validFiles.ts";

const SAMPLES = resolve(PROJECT_ROOT, "../shared/formats/samples");
const FORMATS_OF_ROWS = ["awards", "events", "members", "eprx_awards", "jepx_bid_curves"];

const bytesOf = ({ text, encoding = "cp932" }: TextFile): Buffer => iconv.encode(text, encoding);

/** One change of a file: bytes replaced, removed or inserted, or the rest cut off. */
const damage = fc.record({
  kind: fc.constantFrom("replace", "remove", "insert", "cut", "repeat"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 40 }),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 6 }),
});
type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damaged(content: Buffer, { kind, at, length, bytes }: Damage): Buffer {
  const start = Math.floor(at * content.length);
  const [before, after] = [content.subarray(0, start), content.subarray(start)];
  const rest = content.subarray(Math.min(content.length, start + length));
  if (kind === "cut") return before;
  if (kind === "remove") return Buffer.concat([before, rest]);
  if (kind === "insert") return Buffer.concat([before, bytes, after]);
  if (kind === "repeat") return Buffer.concat([before, after.subarray(0, length), after]);
  return Buffer.concat([before, bytes, content.subarray(Math.min(content.length, start + bytes.length))]);
}

/** A table or problems with words, never both and never neither. */
function checkOutcome({ table, problems, decoded }: FormatReading): void {
  const list = problems.groups.flatMap(({ first }) => first);
  if (table !== null) {
    expect(list).toEqual([]);
    if (table.kind === "series")
      for (const { timesMs, values } of table.columns) {
        expect(values).toHaveLength(timesMs.length);
        expect(timesMs.findIndex((timeMs, k) => k > 0 && !(timesMs[k - 1] < timeMs))).toBe(-1);
        expect(values.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY)).toBe(false);
      }
    return;
  }
  expect(list.length).toBeGreaterThan(0);
  const lineCount = (decoded?.text ?? "").split(/\r\n|\r|\n/).length + 1;
  for (const { line, column, found, allowed } of list) {
    expect(found).not.toBe("");
    expect(allowed).not.toBe("");
    expect(found).not.toMatch(/undefined|\[object/);
    expect(0 <= line && (decoded === null || line <= lineCount) && 0 <= column).toBe(true);
  }
}

test("there is a valid file of each format of series, which is recognised", () => {
  const known = VALID_FILES.map(({ format }) => format);
  expect([...known, ...FORMATS_OF_ROWS].sort()).toEqual(FORMATS.map(({ id }) => id).sort());
  for (const file of VALID_FILES) {
    expect(seriesOf(file).columns.length).toBeGreaterThan(0);
    expect(detectFormats("file", file.text.replace("\uFEFF", ""))[0].format.id).toBe(file.format);
  }
});

describe.each(VALID_FILES.map((file) => [file.format, file] as const))("%s", (_, file) => {
  const format = formatById(file.format);
  if (format === null) throw new Error(file.format);
  const content = bytesOf(file);

  test("damage gives problems with a place, or a whole table", () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (changes) => {
        const bytes = changes.reduce(damaged, content);
        checkOutcome(readFormatFile(format, { name: "f.csv", content: bytes }, {}));
      }),
      { numRuns: runs(1_500, 60) },
    );
  });

  test("a letter in any number of the last row with values is a problem, never another value", () => {
    const whole = seriesOf(file);
    const text = file.text;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length - 1 }), (at) => {
        if (!/\d/.test(text[at])) return;
        const { table, problems } = readText({ ...file, text: `${text.slice(0, at)}x${text.slice(at + 1)}` });
        if (table?.kind !== "series") return void expect(problems.count).toBeGreaterThan(0);
        // What is still a table holds no value that the original does not.
        const known = new Set(["NaN", ...whole.columns.flatMap(({ values }) => [...values].map(String))]);
        const found = table.columns.flatMap(({ values }) => [...values].map(String));
        expect(found.filter((value) => !known.has(value))).toEqual([]);
      }),
      { numRuns: runs(1_000, 80) },
    );
  });

  test("another format refuses it by name", () => {
    if (file.format === "table") return;
    for (const other of VALID_FILES.filter((candidate) => !["table", file.format].includes(candidate.format))) {
      const { table, problems } = readText({ ...file, format: other.format });
      expect([other.format, table]).toEqual([other.format, null]);
      expect(problems.groups[0].first[0].found).toContain(`seems to be ${file.format} (`);
    }
  });
});

needingShared("formats/samples").test("damaged samples give problems or whole tables in any format", () => {
  const names = readdirSync(SAMPLES).filter((name) => /\.(csv|xml|json|epw)$/.test(name) && name !== "expected.json");
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.constantFrom(...FORMATS), damage, (name, format, change) => {
      const content = damaged(readFileSync(join(SAMPLES, name)), change);
      checkOutcome(readFormatFile(format, { name, content }, {}));
    }),
    { numRuns: runs(1_500, 200) },
  );
});
