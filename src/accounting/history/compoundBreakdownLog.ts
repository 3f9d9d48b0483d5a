import type { EpochMs } from "../../base/time.ts";
import { memberBreakdowns } from "../../vpp/allocation/memberBreakdowns.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";

/** kW by part of a compound. */
export type CompoundBreakdown = Readonly<Record<string, number>>;

interface DispatchedBreakdown {
  readonly atMs: EpochMs;
  /** By site. */
  readonly bySite: ReadonlyMap<number, CompoundBreakdown>;
}

/** What each member carried of the parts of compounds, from dispatch to dispatch; few instructions have any. */
export class CompoundBreakdownLog {
  /** By the instruction's registration. */
  private readonly dispatches = new Map<number, DispatchedBreakdown[]>();

  recordDispatch(instruction: Instruction, atMs: EpochMs): void {
    const { table, membership, registration } = instruction;
    const records = table === null ? null : memberBreakdowns(instruction, table.deltaTenths);
    if (records === null) return;
    const parts = new Map(records.map((record, k) => [membership.siteIndices[k], record]));
    const known = this.dispatches.get(registration);
    if (known === undefined) this.dispatches.set(registration, [{ atMs, bySite: parts }]);
    else known.push({ atMs, bySite: parts });
  }

  /** A site's part at an instant, or `null` for an order that is no such instruction. */
  breakdownAt(registration: number, site: number, atMs: EpochMs): CompoundBreakdown | null {
    const last = this.dispatches.get(registration)?.findLast((divided) => divided.atMs <= atMs);
    return last?.bySite.get(site) ?? null;
  }

  dropBefore(atMs: EpochMs): void {
    for (const [registration, divided] of this.dispatches)
      if ((divided.at(-1)?.atMs ?? 0) < atMs) this.dispatches.delete(registration);
  }
}
