// docs/tutorial.md in an empty folder: its files are written, its commands run one by one, its figures are those that they print.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { fencedBlocks, missingLines, needingBash, readDocument, runLines } from "./documents.ts";

const TUTORIAL = readDocument("docs/tutorial.md");

needingBash.test("docs/tutorial.md: each command does what the page says", () => {
  const cwd = createTemporaryFolder("tutorial");
  const blocks = fencedBlocks(TUTORIAL);
  const texts: string[] = [];
  blocks.forEach(({ language, title, text }, k) => {
    if (title !== "") {
      writeFileSync(join(cwd, title), text);
      texts.push(text);
    }
    if (language !== "sh") return;
    const printed = text
      .replace(/\\\n\s*/g, "")
      .trim()
      .split("\n")
      .map((line) => runOne(line, cwd))
      .join("");
    const next = blocks[k + 1];
    if (next?.language === "") expect(missingLines(printed, next.text), text).toEqual([]);
    texts.push(printed);
  });
  expect(texts.length).toBeGreaterThan(12);
  const known = texts.join("\n").replaceAll("−", "-");
  expect(figuresOfProse().filter((figure) => !known.includes(figure))).toEqual([]);
});

function runOne(line: string, cwd: string): string {
  const { status, stdout, stderr } = runLines(line, cwd);
  expect({ status, stderr }, line).toEqual({ status: 0, stderr: "" });
  return stdout.replace("\uFEFF", "").replaceAll("\r\n", "\n");
}

/** Numbers with a comma or a point and a unit behind them, outside the blocks. */
function figuresOfProse(): readonly string[] {
  const prose = TUTORIAL.replace(/^```.*?^```$/gms, "").replaceAll("−", "-");
  const figures = [...prose.matchAll(/[-+]?\d[\d,]*[.,]\d+(?= (?:JPY|kWh|%|million|years))/g)].map(
    ([figure]) => figure,
  );
  expect(figures.length).toBeGreaterThan(5);
  return figures;
}
