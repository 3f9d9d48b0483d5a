import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../../vpp/vpp.ts";
import type { SettledFigures } from "../kpis/kpi.ts";
import type { SiteMeter } from "../meters/siteMeter.ts";
import type { AwardPieceListener } from "../settlement/awardSettlement.ts";

/** Receives what a market settles. The run reads nothing from it but the end of its current slot and the figures. */
export interface SettlementSink extends AwardPieceListener {
  /** Called once, before any other method. */
  onAttached(sites: readonly Site[], vpps: readonly Vpp[], meters: readonly SiteMeter[]): void;
  /** End of the current slot; `Infinity` after the last one. */
  readonly dueMs: EpochMs;
  /** Closes every slot that ends at or before an instant up to which the current trajectories hold. */
  recordThrough(atMs: EpochMs): void;
  /** All trajectories hold from the last call until `toMs`. */
  onTrajectoryInterval(toMs: EpochMs): void;
  onRegistered(instruction: Instruction): void;
  /** A schedule was deleted before its start. */
  onDeleted(instruction: Instruction): void;
  /** An instruction was dispatched for the first time or again. */
  onDispatched(instruction: Instruction, atMs: EpochMs): void;
  /** Its pieces up to now have been added. */
  onEnded(instruction: Instruction, atMs: EpochMs): void;
  onRefused(origin: InstructionOrigin): void;
  /** Settles the run; once, at its end. */
  settle(): SettledFigures;
}
