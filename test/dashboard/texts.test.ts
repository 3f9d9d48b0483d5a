import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CATALOGUE, textOf } from "../../src/dashboard/texts/catalogue.ts";

const FOLDER = join(import.meta.dirname, "../../src/dashboard");
const sources = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.endsWith("texts"))
  .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
  .join("\n");

/** Same in both languages, because it is a name or a value alone. */
const EQUAL = [
  "app.name",
  "app.title",
  "app.station",
  "clock.speed_value",
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

  test("is where all words of the page stand", () => {
    // Text between tags that begins with a letter; signs such as "?" are no words.
    const found = [...sources.matchAll(/>\s*([A-Za-z][A-Za-z ]{2,})\s*<\//g)].map(([, text]) => text.trim());
    expect(found).toEqual([]);
  });

  test("puts values in their places, and leaves unknown ones", () => {
    expect(textOf("en", "clock.next_award", { time: "11:00" })).toBe("Next award: 11:00");
    expect(textOf("ja", "clock.next_award", {})).toBe("次の約定: {time}");
  });
});
