import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import { requestedKwOf } from "./eventText.ts";

/** An award or instruction that a VPP has received. */
export interface ReceivedAward {
  readonly awardId: string;
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Signed delta, or the capacity of FCR alone. */
  readonly requestedKw: number;
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
  #entries: Entry[] = [];
  readonly #open = new Map<Instruction, Entry>();

  add(instruction: Instruction): void {
    const entry = { instruction, award: awardOf(instruction) };
    this.#open.set(instruction, entry);
    this.#entries.push(entry);
    // A tenth more is stored, so that not every award moves the whole list.
    if (this.#entries.length > 1.1 * AWARDS_MAX) this.#entries = this.#entries.slice(-AWARDS_MAX);
  }

  /** An award ends, or is removed before its start, which leaves it no period. */
  end(instruction: Instruction, atMs: EpochMs): void {
    const entry = this.#open.get(instruction);
    if (entry === undefined) return;
    this.#open.delete(instruction);
    const award = awardOf(instruction);
    entry.award = { ...award, endMs: Math.max(award.startMs, Math.min(award.endMs, atMs)) };
    entry.instruction = null;
  }

  /** Those with a part of their period between two instants. */
  within(fromMs: EpochMs, toMs: EpochMs): ReceivedAward[] {
    return this.#entries
      .map(({ instruction, award }) => (instruction === null ? award : awardOf(instruction)))
      .filter(({ startMs, endMs }) => startMs < toMs && fromMs < endMs && startMs < endMs);
  }
}

const awardOf = (instruction: Instruction): ReceivedAward => ({
  awardId: instruction.awardId,
  sku: instruction.sku,
  startMs: instruction.startMs,
  endMs: instruction.endMs,
  requestedKw: requestedKwOf(instruction),
});
