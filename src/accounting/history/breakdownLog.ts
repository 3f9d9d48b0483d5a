import type { EpochMs } from "../../base/time.ts";
import { memberBreakdowns } from "../../vpp/allocation/memberBreakdown.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";

/** kW by part of a compound. */
export type Breakdown = Readonly<Record<string, number>>;

interface Divided {
  readonly atMs: EpochMs;
  /** By site. */
  readonly parts: ReadonlyMap<number, Breakdown>;
}

/** What each member carried of the parts of compounds, from dispatch to dispatch; few instructions have any. */
export class BreakdownLog {
  /** By the instruction's registration. */
  private readonly divided = new Map<number, Divided[]>();

  dispatched(instruction: Instruction, atMs: EpochMs): void {
    const { table, membership, registration } = instruction;
    const records = table === null ? null : memberBreakdowns(instruction, table.deltaTenths);
    if (records === null) return;
    const parts = new Map(records.map((record, k) => [membership.sites[k], record]));
    const known = this.divided.get(registration);
    if (known === undefined) this.divided.set(registration, [{ atMs, parts }]);
    else known.push({ atMs, parts });
  }

  /** A site's part at an instant, or `null` for an order that is no such instruction. */
  at(registration: number, site: number, atMs: EpochMs): Breakdown | null {
    const last = this.divided.get(registration)?.findLast((divided) => divided.atMs <= atMs);
    return last?.parts.get(site) ?? null;
  }

  dropBefore(atMs: EpochMs): void {
    for (const [registration, divided] of this.divided)
      if ((divided.at(-1)?.atMs ?? 0) < atMs) this.divided.delete(registration);
  }
}
