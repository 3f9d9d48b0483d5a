import type { EpochMs } from "../../base/time.ts";
import { memberBreakdowns } from "../../vpp/allocation/memberBreakdowns.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";

/** kW by product leg of a compound. */
export type CompoundBreakdown = Readonly<Record<string, number>>;

interface DispatchedBreakdown {
  readonly atMs: EpochMs;
  /** By site index. */
  readonly bySite: ReadonlyMap<number, CompoundBreakdown>;
}

/** Each member's breakdown of compounds by product leg, one record per dispatch; most instructions have none. */
export class CompoundBreakdownLog {
  /** By the instruction's registration number. */
  private readonly dispatches = new Map<number, DispatchedBreakdown[]>();

  recordDispatch(instruction: Instruction, atMs: EpochMs): void {
    const { table, membership, registration } = instruction;
    const records = table === null ? null : memberBreakdowns(instruction, table.deltaTenths);
    if (records === null) return;
    const bySite = new Map(records.map((record, k) => [membership.siteIndices[k], record]));
    const dispatches = this.dispatches.get(registration);
    if (dispatches === undefined) this.dispatches.set(registration, [{ atMs, bySite }]);
    else dispatches.push({ atMs, bySite });
  }

  /** A site's breakdown at an instant, or `null` for an order that is no compound. */
  breakdownAt(registration: number, site: number, atMs: EpochMs): CompoundBreakdown | null {
    const last = this.dispatches.get(registration)?.findLast((dispatch) => dispatch.atMs <= atMs);
    return last?.bySite.get(site) ?? null;
  }

  dropBefore(atMs: EpochMs): void {
    for (const [registration, dispatch] of this.dispatches)
      if ((dispatch.at(-1)?.atMs ?? 0) < atMs) this.dispatches.delete(registration);
  }
}
