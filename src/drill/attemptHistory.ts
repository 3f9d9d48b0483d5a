import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { InputErrors, inputError } from "../scenario/parse/inputError.ts";
import type { GradedDrill } from "./gradeDrill.ts";
import type { Measures } from "./measureAttempt.ts";

/** An earlier attempt, as far as a debriefing compares it. */
export interface PastAttempt {
  readonly score: number;
  readonly measures: Partial<Measures>;
}

interface HistoryLine extends PastAttempt {
  readonly person: string;
  readonly drill: string;
  readonly passed: boolean;
}

/**
 * Attempts of a person at a drill, oldest first. The file has a JSON object per line.
 *
 * @throws InputErrors for a line that is no attempt
 */
export function readHistory(file: string, person: string, drill: string): PastAttempt[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((text, k) => {
    if (text.trim() === "") return [];
    const line = parseLine(text);
    if (line === null) {
      const place = { file, line: k + 1, column: 1, keyPath: "" };
      const allowed = "a line of a history of drills: a JSON object with person, drill, score and measures";
      throw new InputErrors([inputError({ ...place, found: "another text", allowed })]);
    }
    return line.person === person && line.drill === drill ? [{ score: line.score, measures: line.measures }] : [];
  });
}

function parseLine(text: string): HistoryLine | null {
  try {
    const line = JSON.parse(text) as Partial<HistoryLine> | null;
    const isLine =
      typeof line?.person === "string" &&
      typeof line.drill === "string" &&
      typeof line.score === "number" &&
      typeof line.measures === "object";
    return isLine ? (line as HistoryLine) : null;
  } catch {
    return null;
  }
}

export function appendToHistory(file: string, person: string, { drill, score, isPassed, measures }: GradedDrill): void {
  mkdirSync(dirname(file), { recursive: true });
  const line: HistoryLine = { person, drill: drill.name, passed: isPassed, score, measures };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}
