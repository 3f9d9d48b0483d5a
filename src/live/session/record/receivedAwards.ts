import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";

/** An award or instruction that a VPP has received. */
export interface ReceivedAward {
  readonly awardId: string;
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Signed delta, or the capacity of FCR alone. */
  readonly requestedKw: number;
  /** Whether it asks for a frequency response, alone or beside a delta. */
  readonly hasFcr: boolean;
}

interface Entry {
  /** While it waits or runs: another schedule may change its period. */
  instruction: Instruction | null;
  award: ReceivedAward;
}

/** Awards that are stored for a VPP; older ones are dropped. */
const AWARDS_MAX = 20_000;

/** The awards and instructions that one VPP has received, in order of registration. */
export class ReceivedAwards {
  private entries: Entry[] = [];
  private readonly open = new Map<Instruction, Entry>();

  add(instruction: Instruction): ReceivedAward {
    const entry = { instruction, award: awardOf(instruction) };
    this.open.set(instruction, entry);
    this.entries.push(entry);
    // A tenth more is stored, so that not every award moves the whole list.
    if (this.entries.length > 1.1 * AWARDS_MAX) this.entries = this.entries.slice(-AWARDS_MAX);
    return entry.award;
  }

  /** The record of an instruction that has not ended, as it is now. */
  current(instruction: Instruction): ReceivedAward | null {
    const entry = this.open.get(instruction);
    if (entry === undefined) return null;
    const { startMs, endMs } = entry.award;
    if (startMs !== instruction.startMs || endMs !== instruction.endMs) entry.award = awardOf(instruction);
    return entry.award;
  }

  /** An award ends, or is removed before its start, which leaves it no period. */
  end(instruction: Instruction, atMs: EpochMs): void {
    const entry = this.open.get(instruction);
    if (entry === undefined) return;
    const award = this.current(instruction) ?? entry.award;
    this.open.delete(instruction);
    if (atMs < award.endMs) entry.award = { ...award, endMs: Math.max(award.startMs, atMs) };
    entry.instruction = null;
  }

  /** Those with a part of their period between two instants. */
  within(fromMs: EpochMs, toMs: EpochMs): ReceivedAward[] {
    return this.entries
      .map(({ instruction, award }) => (instruction === null ? award : (this.current(instruction) ?? award)))
      .filter(({ startMs, endMs }) => startMs < toMs && fromMs < endMs && startMs < endMs);
  }
}

const awardOf = (instruction: Instruction): ReceivedAward => ({
  awardId: instruction.awardId,
  sku: instruction.sku,
  startMs: instruction.startMs,
  endMs: instruction.endMs,
  requestedKw: requestedKwOf(instruction),
  hasFcr: instruction.fcrCapacityTenths !== null,
});

/** The request of an instruction in kW: its delta, or the capacity of FCR alone. */
export const requestedKwOf = ({ hasDelta, deltaTenths, fcrCapacityTenths }: Instruction): number =>
  (hasDelta ? deltaTenths : (fcrCapacityTenths ?? 0)) / 10;

/** Its uncovered part now, at least 0. */
export const uncoveredKwOf = ({ hasDelta, direction, uncoveredTenths, fcrUncoveredTenths }: Instruction): number =>
  Math.max(0, hasDelta ? direction * uncoveredTenths : fcrUncoveredTenths) / 10;
