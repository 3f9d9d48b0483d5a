import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../engine/site/site.ts";
import {
  DISPATCH_OUTCOME,
  DISPATCH_STATUS,
  type DispatchTable,
  type Instruction,
  SERVICE,
} from "../../engine/vpp/instructions/instruction.ts";
import { BLOCK_ROWS, BlockBuffer, type BlockSink, instantColumn, nameColumn, thousandthsColumn } from "./tableBlock.ts";
import type { WorldShape } from "./worldShape.ts";

type Thousandths = ReturnType<typeof thousandthsColumn>;

/** Larger than any delta in tenths, so that delta, FCR capacity and status fit into one exact number. */
const FCR_CAPACITY_SCALE = 0x2000000;

/**
 * One row per member at the first dispatch, then one for each member whose delta or status changed.
 *
 * The columns of frequency response exist if any site of the world is capable of it.
 */
export class DispatchRecorder {
  private readonly sites: readonly Site[];
  private readonly buffer: BlockBuffer;
  private readonly atMs = instantColumn("timestamp");
  private readonly awardId: (string | null)[] = [];
  private readonly site;
  private readonly baselineKw = thousandthsColumn("baseline_kw");
  private readonly deltaKw = thousandthsColumn("delta_kw");
  private readonly status;
  private readonly reason: (string | null)[] = [];
  private readonly capabilityKw = thousandthsColumn("capability_kw");
  /** `null` where no site is capable of frequency response: a year has millions of rows. */
  private readonly fcr: readonly [responseKw: Thousandths, capabilityKw: Thousandths] | null;
  /** Status, delta and FCR capacity of each member as last written, packed into one number, by running instruction. */
  private readonly writtenRows = new Map<Instruction, Float64Array>();

  constructor(sites: readonly Site[], { hasFcr }: Pick<WorldShape, "hasFcr">, sink: BlockSink) {
    this.sites = sites;
    this.site = nameColumn(
      "site",
      sites.map(({ spec }) => spec.name),
    );
    this.status = nameColumn("dispatch_status", DISPATCH_STATUS);
    this.fcr = hasFcr ? [thousandthsColumn("fcr_response_kw"), thousandthsColumn("fcr_capability_kw")] : null;
    this.buffer = new BlockBuffer(
      sink,
      [
        this.atMs,
        { name: "award_id", kind: "text", values: this.awardId },
        this.site,
        this.baselineKw,
        this.deltaKw,
        this.status,
        { name: "skip_reason", kind: "text", values: this.reason },
        this.capabilityKw,
        ...(this.fcr ?? []),
      ],
      BLOCK_ROWS,
    );
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    const { siteIndices: sites } = instruction.membership;
    const table = instruction.table as DispatchTable;
    const { fcrCapacities } = table;
    let written = this.writtenRows.get(instruction);
    const isFirst = written === undefined;
    written ??= new Float64Array(sites.length);
    this.writtenRows.set(instruction, written);
    for (let i = 0; i < sites.length; i++) {
      const capacityTenths = fcrCapacities === null ? 0 : fcrCapacities.capacityTenths[i];
      const packed = (table.deltaTenths[i] + capacityTenths * FCR_CAPACITY_SCALE) * 8 + table.status[i];
      if (!isFirst && written[i] === packed) continue;
      written[i] = packed;
      this.writeRow(instruction, table, i, atMs);
    }
  }

  onRedispatched(instruction: Instruction, atMs: EpochMs): void {
    this.onExecuted(instruction, atMs);
  }

  private writeRow(instruction: Instruction, table: DispatchTable, i: number, atMs: EpochMs): void {
    const row = this.buffer.nextRow();
    const status = table.status[i];
    const isDispatched = status === DISPATCH_OUTCOME.dispatched;
    const hasShare = isDispatched || status === DISPATCH_OUTCOME.refused || status === DISPATCH_OUTCOME.failed;
    this.atMs.values[row] = atMs;
    this.awardId[row] = instruction.awardId;
    this.site.values[row] = this.sites[instruction.membership.siteIndices[i]].index;
    this.baselineKw.values[row] = Number.isNaN(table.baselineKw[i]) ? Number.NaN : toThousandths(table.baselineKw[i]);
    const { fcrCapacities } = table;
    const services = !hasShare ? 0 : fcrCapacities === null ? SERVICE.delta : fcrCapacities.services[i];
    const hasDelta = (services & SERVICE.delta) !== 0;
    this.deltaKw.values[row] = isDispatched && hasDelta ? table.deltaTenths[i] * 100 : Number.NaN;
    this.status.values[row] = status;
    this.reason[row] =
      status === DISPATCH_OUTCOME.failed
        ? "delivery_failed"
        : status === DISPATCH_OUTCOME.refused
          ? table.refusals[i]
          : null;
    this.capabilityKw.values[row] = hasDelta ? table.capabilityTenths[i] * 100 : Number.NaN;
    if (this.fcr === null) return;
    const [responseKw, capabilityKw] = this.fcr;
    const hasFcr = fcrCapacities !== null && (services & SERVICE.fcr) !== 0;
    responseKw.values[row] = hasFcr && isDispatched ? fcrCapacities.capacityTenths[i] * 100 : Number.NaN;
    capabilityKw.values[row] = hasFcr ? fcrCapacities.capabilityTenths[i] * 100 : Number.NaN;
  }

  onEnded(instruction: Instruction): void {
    this.writtenRows.delete(instruction);
  }

  flush(): void {
    this.buffer.flush();
  }
}
