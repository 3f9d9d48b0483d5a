import { type CountedGroup, CountedGroups } from "../../base/countedGroups.ts";

/** One error of a published file. */
export interface FormatProblem {
  /** From 1; 0 for the file as a whole. */
  readonly line: number;
  readonly column: number;
  /** Name of the column of the original, or an option; empty for a row or the file. */
  readonly key: string;
  readonly found: string;
  /** The allowed content. */
  readonly allowed: string;
}

/** The problems of one file; all are counted, the first of each key are stored. */
export class FormatProblems {
  private readonly counted = new CountedGroups<FormatProblem>();

  get count(): number {
    return this.counted.count;
  }

  get groups(): readonly CountedGroup<FormatProblem>[] {
    return this.counted.groups;
  }

  /** @param describe is called only for the problems that are stored */
  add(key: string, describe: () => Omit<FormatProblem, "key">): void {
    this.counted.add(key, () => ({ key, ...describe() }));
  }

  /** Adds a problem of the whole file or of an option. */
  refuse(found: string, allowed: string, key = ""): void {
    this.add(key, () => ({ line: 0, column: 0, found, allowed }));
  }
}

/** A cell in a message: quoted and truncated. */
export function quoteCell(text: string): string {
  if (text === "") return "an empty cell";
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
