import type { InjectSpec } from "../../../inputs/scenario/schema/injectSchema.ts";

/** A malfunction that the instructor has prepared (docs/model/drills.md#prepared). */
export interface PreparedMalfunction {
  /** `prepared-<n>`, in the order in which they were prepared. */
  readonly preparedId: string;
  readonly label: string | null;
  /** Without instant and condition where `afterMs` is given. */
  readonly inject: InjectSpec;
  /** From the instant at which it was armed, or to which the session has gone back; `null`: not by a duration. */
  readonly afterMs: number | null;
  readonly isArmed: boolean;
}

/** The prepared malfunctions of a session. A restore keeps them, because they belong to the training. */
export class PreparedList {
  private present: readonly PreparedMalfunction[] = [];
  private lastNumber = 0;

  get rows(): readonly PreparedMalfunction[] {
    return this.present;
  }

  /** The id of the next one. @param ahead  how many come before it */
  nextId(ahead = 0): string {
    return `${ID_START}${this.lastNumber + 1 + ahead}`;
  }

  replace(rows: readonly PreparedMalfunction[]): void {
    this.present = rows;
    for (const { preparedId } of rows)
      this.lastNumber = Math.max(this.lastNumber, Number(preparedId.slice(ID_START.length)));
  }
}

const ID_START = "prepared-";
