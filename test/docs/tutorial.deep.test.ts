// docs/tutorial.md in an empty folder: its files are written, its commands run one by one, its figures are those that they print.
// docs/pandas.md goes on in the folder that the tutorial leaves.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needing } from "../needing.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { fencedBlocks, missingLines, needingBash, readDocument, runLines } from "./documents.ts";
import { lastNumbers, rowsOf, SAME_BY_SQL } from "./pandasFigures.ts";

/** Twenty processes one after the other. */
const HANGS_MS = 900_000;

const TUTORIAL = readDocument("docs/tutorial.md");
const PANDAS = fencedBlocks(readDocument("docs/pandas.md"));

/** Debian puts pandas into its own Python, which need not be the first one. */
const python = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import pandas"]).status === 0,
);
const needingPandas = needing("Python with pandas", python !== undefined);

needingBash.describe("the tutorial and what follows it", () => {
  const cwd = createTemporaryFolder("tutorial");

  test("docs/tutorial.md: each command does what the page says", { timeout: HANGS_MS }, () => {
    const blocks = fencedBlocks(TUTORIAL);
    const texts: string[] = [];
    blocks.forEach(({ language, title, text }, k) => {
      if (title !== "") {
        writeFileSync(join(cwd, title), text);
        texts.push(text);
      }
      if (language !== "sh") return;
      const printed = commandsOf(text)
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

  test("docs/pandas.md: its tables have the figures that SQL finds in the same files", async () => {
    const printed = PANDAS.filter((_, k) => PANDAS[k - 1]?.language === "python");
    expect(printed).toHaveLength(SAME_BY_SQL.length);
    for (const [k, sql] of SAME_BY_SQL.entries()) {
      const [, ...rows] = await rowsOf(sql, cwd);
      const expected = rows.flat().map((cell) => (cell === null ? Number.NaN : Number(cell)));
      const found = lastNumbers(printed[k].text, rows.length);
      expect(found).toHaveLength(expected.length);
      // The tables have one decimal at least.
      found.forEach((figure, n) => {
        if (Number.isNaN(figure)) expect(expected[n]).toBeNaN();
        else expect(Math.abs(figure - expected[n]), `${figure}`).toBeLessThan(0.0501);
      });
    }
  });

  test("docs/pandas.md: its SQL reads Parquet and prints what it says", async () => {
    const [command] = PANDAS.filter(({ language }) => language === "sh");
    const at = PANDAS.findIndex(({ language }) => language === "sql");
    for (const line of commandsOf(command.text)) runOne(line, cwd);
    const rows = await rowsOf(PANDAS[at].text, cwd);
    expect(`${rows.map((row) => row.join(",")).join("\n")}\n`).toBe(PANDAS[at + 1].text);
  });

  needingPandas.test("docs/pandas.md: its Python prints what it says", () => {
    PANDAS.forEach(({ language, text }, k) => {
      if (language !== "python") return;
      const { stdout, stderr } = spawnSync(python ?? "", ["-c", text], { cwd, encoding: "utf8" });
      expect({ stdout, stderr }).toEqual({ stdout: PANDAS[k + 1].text, stderr: "" });
    });
  });
});

/** Lines of a shell, each with its continuations. */
const commandsOf = (text: string): readonly string[] =>
  text
    .replace(/\\\n\s*/g, "")
    .trim()
    .split("\n");

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
