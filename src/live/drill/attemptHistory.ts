import { closeSync, fstatSync, ftruncateSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { utf8Text } from "../../base/bytes.ts";
import { canonicalJson } from "../../base/canonicalJson.ts";
import { sha256Hex } from "../../base/ids.ts";
import { inputRefusal } from "../../base/inputError.ts";
import { largestOf } from "../../base/lists.ts";
import { roundTo } from "../../base/rounding.ts";
import { diskFiles } from "../../platform/node/diskFiles.ts";
import { createFolder } from "../../platform/node/reportFolder.ts";
import { writeAll } from "../../platform/node/writeAll.ts";
import type { Drill } from "./drill.ts";
import type { GradedDrill } from "./gradedDrill.ts";
import type { Measures } from "./measureAttempt.ts";

/** The figures of an earlier attempt that a debriefing compares. */
export interface PastAttempt {
  readonly score: number;
  readonly isPassed: boolean;
  readonly measures: Partial<Measures>;
  /** Digest of the inputs, by which an attempt that is graded again is recognised. */
  readonly digest: string;
}

/** One attempt in the history file. */
export interface HistoryLine {
  readonly person: string;
  readonly drill: string;
  /** Digest of the drill; scores of another version of the drill are not compared. */
  readonly drill_hash: string;
  readonly attempt: string;
  readonly passed: boolean;
  readonly score: number;
  readonly measures: Partial<Measures>;
}

/**
 * Attempts of a person at a drill, oldest first. The file has a JSON object per line.
 *
 * @throws InputErrors for a line that is no attempt, and for a folder
 */
export function readHistory(file: string, person: string, drill: Drill): PastAttempt[] {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true)
    throw inputRefusal(file, "a folder", "a history of drills, or a new file");
  const lines = utf8Text(diskFiles.read(file) ?? new Uint8Array()).split("\n");
  return lines.flatMap((text, k) => {
    if (text.trim() === "") return [];
    const line = parseLine(text);
    if (line === null) {
      const allowed =
        "a line of a history of drills: a JSON object with person, drill, drill_hash, attempt, passed, score and measures";
      throw inputRefusal({ file, line: k + 1 }, "another text", allowed);
    }
    const { passed, score, measures, attempt } = line;
    const isOf = line.person === person && line.drill === drill.name && line.drill_hash === hashOf(drill);
    return isOf ? [{ score, isPassed: passed, measures, digest: attempt }] : [];
  });
}

/** The attempts before the one with a digest. An attempt that was graded before has the place of its first grade. */
export function attemptsBefore(history: readonly PastAttempt[], digest: string): readonly PastAttempt[] {
  const same = history.findIndex((attempt) => attempt.digest === digest);
  return same < 0 ? history : history.slice(0, same);
}

function parseLine(text: string): HistoryLine | null {
  try {
    const line = JSON.parse(text) as Partial<HistoryLine> | null;
    const isLine =
      typeof line?.person === "string" &&
      typeof line.drill === "string" &&
      typeof line.drill_hash === "string" &&
      typeof line.attempt === "string" &&
      typeof line.score === "number" &&
      typeof line.passed === "boolean" &&
      typeof line.measures === "object" &&
      line.measures !== null &&
      Object.values(line.measures).every((value) => typeof value === "number");
    return isLine ? (line as HistoryLine) : null;
  } catch {
    return null;
  }
}

/** The line of a graded attempt. */
export const historyLine = (
  person: string,
  { drill, attempt, score, isPassed, measures }: GradedDrill,
): HistoryLine => ({
  person,
  drill: drill.name,
  drill_hash: hashOf(drill),
  attempt: sha256Hex(canonicalJson({ inputs: attempt.inputs, reachedMs: attempt.reachedMs })),
  passed: isPassed,
  score,
  measures,
});

/** Adds an attempt, unless the history has it. @throws the system error, such as of a full disk; the history is then unchanged */
export function rememberAttempt(file: string, history: readonly PastAttempt[], line: HistoryLine): void {
  if (history.some(({ digest }) => digest === line.attempt)) return;
  createFolder(dirname(resolve(file)));
  const content = diskFiles.read(file) ?? "";
  const isLineOpen = content.length > 0 && content.at(-1) !== LINE_FEED;
  appendWhole(file, `${isLineOpen ? "\n" : ""}${JSON.stringify(line)}\n`);
}

/** A part of a line would make the whole history unreadable. */
function appendWhole(file: string, text: string): void {
  const fd = openSync(file, "a");
  const { size } = fstatSync(fd);
  try {
    writeAll(fd, Buffer.from(text));
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  } finally {
    closeSync(fd);
  }
}

const LINE_FEED = 10;

const hashOf = ({ served }: Drill): string => served.drill?.hash ?? "";

/** How an attempt compares with the earlier ones of the same person. */
interface AttemptComparison {
  /** Number of this attempt, from 1. */
  readonly number: number;
  /** `null`: it is the first. */
  readonly lastScore: number | null;
  /** Best score of the earlier attempts. */
  readonly bestScore: number | null;
  /** Difference from the score of the last attempt. */
  readonly scoreChange: number | null;
}

/** @param earlier  oldest first */
export function compareAttempts(score: number, earlier: readonly PastAttempt[]): AttemptComparison {
  const last = earlier.at(-1);
  if (last === undefined) return { number: 1, lastScore: null, bestScore: null, scoreChange: null };
  return {
    number: earlier.length + 1,
    lastScore: last.score,
    bestScore: largestOf(earlier.map((attempt) => attempt.score)),
    scoreChange: roundTo(score - last.score, 1),
  };
}
