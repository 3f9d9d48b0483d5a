import { Copyable } from "../../base/copyState.ts";
import { DispatchTable } from "../instructions/instruction.ts";
import type { MemberState } from "../memberMachine.ts";

/** Dispatch tables of ended instructions for reuse, by member count and presence of FCR columns. */
export class DispatchTablePool extends Copyable {
  private readonly tables = new Map<number, DispatchTable[]>();
  /** The table released last; usually the only one. */
  private last: DispatchTable | null = null;

  release(table: DispatchTable): void {
    const { last } = this;
    this.last = table;
    if (last === null) return;
    const key = keyOf(last.memberCount, last.fcrCapacities !== null);
    const pool = this.tables.get(key);
    if (pool === undefined) this.tables.set(key, [last]);
    else pool.push(last);
  }

  /** A table for `count` members, reused or new. Call `reset` before use: a reused table has the values of another instruction. */
  acquire(count: number, memberState: MemberState, hasFcr: boolean): DispatchTable {
    const { last } = this;
    if (last !== null && last.memberCount === count && (last.fcrCapacities !== null) === hasFcr) {
      this.last = null;
      return last;
    }
    return this.tables.get(keyOf(count, hasFcr))?.pop() ?? new DispatchTable(count, memberState, hasFcr);
  }
}

const keyOf = (count: number, hasFcr: boolean): number => 2 * count + (hasFcr ? 1 : 0);
