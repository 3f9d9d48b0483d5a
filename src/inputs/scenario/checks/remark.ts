import { type CountedGroup, CountedGroups } from "../../../base/countedGroups.ts";
import { CHECKS, type CheckName, type RemarkSeverity } from "./checkRegistry.ts";

/** Place of a remark; line 0: no position. */
interface RemarkPlace {
  /** Path as the user would name it; empty for the scenario as a whole. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly keyPath: string;
}

/** The finding of a check in a valid scenario. */
export interface Remark extends RemarkPlace {
  readonly check: CheckName;
  readonly severity: RemarkSeverity;
  /** Names sites, awards and series, not lines: equal scenarios have equal messages, whatever their files. */
  readonly message: string;
}

/** Maximum number of remarks listed per check; further ones are only counted. */
const LISTED_PER_CHECK = 5;

/** The remarks on one scenario: all are counted, and the first of each check are stored. */
export class RemarkCollector {
  private readonly checks = new CountedGroups<Remark>((a, b) => a.message === b.message);

  add(check: CheckName, describe: () => Partial<RemarkPlace> & { readonly message: string }): void {
    this.checks.add(check, () => {
      const { message, file = "", line = 0, column = 0, keyPath = "" } = describe();
      return { check, severity: CHECKS[check], file, line, column, keyPath, message };
    });
  }

  copy(): RemarkCollector {
    const copy = new RemarkCollector();
    for (const group of this.checks.groups) copy.checks.addGroup(group);
    return copy;
  }

  /** By check, in order of discovery. */
  toList(): readonly Remark[] {
    return this.checks.groups.flatMap(listed);
  }
}

function listed({ count, first }: CountedGroup<Remark>): Remark[] {
  const shown = first.slice(0, LISTED_PER_CHECK);
  const rest = count - shown.length;
  if (rest === 0) return shown;
  const { check, severity } = first[0];
  const message = `… and ${rest} more of this kind (${check})`;
  return [...shown, { check, severity, file: "", line: 0, column: 0, keyPath: "", message }];
}

/** Remarks as they stand in run.json and in the output of `validate --json`. */
export const remarksJson = (remarks: readonly Remark[]) =>
  remarks.map(({ check, severity, file, line, column, keyPath, message }) => {
    return { check, severity, file, line, column, key_path: keyPath, message };
  });

/** "warning: scenario.yaml:12:5: awards.0.start: …". */
export function remarkText({ severity, file, line, column, keyPath, message }: Remark): string {
  const place = line > 0 ? `${file}:${line}:${column}` : file;
  return [severity, place, keyPath, message].filter((part) => part !== "").join(": ");
}
