import { Copyable } from "../../base/copyState.ts";
import { DispatchTable } from "../instructions/instruction.ts";
import type { MemberState } from "../memberMachine.ts";

/** Dispatch tables that nobody needs any more, by what they can hold. */
export class DispatchTablePool extends Copyable {
  private readonly tables = new Map<number, DispatchTable[]>();
  /** Those that came last, mostly the only ones. */
  private last: DispatchTable | null = null;

  release(table: DispatchTable): void {
    const { last } = this;
    this.last = table;
    if (last === null) return;
    const key = keyOf(last.memberCount, last.fcrCapacities !== null);
    const alike = this.tables.get(key);
    if (alike === undefined) this.tables.set(key, [last]);
    else alike.push(last);
  }

  /** A table for so many members, used or new: what stands in it is another instruction's until it is opened. */
  acquire(count: number, seen: MemberState, hasFcr: boolean): DispatchTable {
    const { last } = this;
    if (last !== null && last.memberCount === count && (last.fcrCapacities !== null) === hasFcr) {
      this.last = null;
      return last;
    }
    return this.tables.get(keyOf(count, hasFcr))?.pop() ?? new DispatchTable(count, seen, hasFcr);
  }
}

const keyOf = (count: number, hasFcr: boolean): number => 2 * count + (hasFcr ? 1 : 0);
