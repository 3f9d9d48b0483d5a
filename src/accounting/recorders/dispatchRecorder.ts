import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import {
  DISPATCH,
  DISPATCH_STATUS,
  type DispatchTable,
  type Instruction,
  PART,
} from "../../vpp/instructions/instruction.ts";
import type { BlockSink } from "./block.ts";
import { BLOCK_ROWS, BlockBuffer, instants, nameColumn, thousandths } from "./blockBuffer.ts";

type Thousandths = ReturnType<typeof thousandths>;

/** Beyond every delta in tenths, so that delta, width and status fit into one exact number. */
const WIDTH_SCALE = 2 ** 25;

/**
 * A row per member at the first dispatch, then one for each member whose delta or status changed.
 *
 * Columns of frequency response are there where a site is capable of it.
 */
export class DispatchRecorder {
  private readonly sites: readonly Site[];
  private readonly buffer: BlockBuffer;
  private readonly at = instants("at");
  private readonly award: (string | null)[] = new Array(BLOCK_ROWS).fill(null);
  private readonly site;
  private readonly baselineKw = thousandths("baseline_kw");
  private readonly deltaKw = thousandths("delta_kw");
  private readonly status;
  private readonly reason: (string | null)[] = new Array(BLOCK_ROWS).fill(null);
  private readonly capabilityKw = thousandths("capability_kw");
  /** `null` where no site could hold a width: a year has millions of rows. */
  private readonly fcr: readonly [responseKw: Thousandths, capabilityKw: Thousandths] | null;
  /** Status, delta and width of each member as last written, as one number, by running instruction. */
  private readonly written = new Map<Instruction, Float64Array>();

  constructor(sites: readonly Site[], sink: BlockSink) {
    this.sites = sites;
    this.site = nameColumn(
      "site",
      sites.map(({ spec }) => spec.name),
    );
    this.status = nameColumn("dispatch_status", DISPATCH_STATUS);
    this.fcr = sites.some(({ spec }) => spec.capability.fcrCapable)
      ? [thousandths("fcr_response_kw"), thousandths("fcr_capability_kw")]
      : null;
    this.buffer = new BlockBuffer(
      sink,
      [
        this.at,
        { name: "award_id", kind: "text", values: this.award },
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

  record(instruction: Instruction, atMs: EpochMs): void {
    const { sites } = instruction.membership;
    const table = instruction.table as DispatchTable;
    const { widths } = table;
    let written = this.written.get(instruction);
    const first = written === undefined;
    written ??= new Float64Array(sites.length);
    this.written.set(instruction, written);
    for (let i = 0; i < sites.length; i++) {
      const widthTenths = widths === null ? 0 : widths.tenths[i];
      const now = (table.deltaTenths[i] + widthTenths * WIDTH_SCALE) * 8 + table.status[i];
      if (!first && written[i] === now) continue;
      written[i] = now;
      this.row(instruction, table, i, atMs);
    }
  }

  private row(instruction: Instruction, table: DispatchTable, i: number, atMs: EpochMs): void {
    const row = this.buffer.nextRow();
    const status = table.status[i];
    const told = status === DISPATCH.dispatched;
    const shared = told || status === DISPATCH.refused || status === DISPATCH.failed;
    this.at.values[row] = atMs;
    this.award[row] = instruction.id;
    this.site.values[row] = this.sites[instruction.membership.sites[i]].index;
    this.baselineKw.values[row] = Number.isNaN(table.baselineKw[i]) ? Number.NaN : toThousandths(table.baselineKw[i]);
    const { widths } = table;
    const parts = !shared ? 0 : widths === null ? PART.delta : widths.parts[i];
    const hasDelta = (parts & PART.delta) !== 0;
    this.deltaKw.values[row] = told && hasDelta ? table.deltaTenths[i] * 100 : Number.NaN;
    this.status.values[row] = status;
    this.reason[row] =
      status === DISPATCH.failed ? "delivery_failed" : status === DISPATCH.refused ? table.refusals[i] : null;
    this.capabilityKw.values[row] = hasDelta ? table.capabilityTenths[i] * 100 : Number.NaN;
    if (this.fcr === null) return;
    const [responseKw, capabilityKw] = this.fcr;
    const hasWidth = widths !== null && (parts & PART.fcr) !== 0;
    responseKw.values[row] = hasWidth && told ? widths.tenths[i] * 100 : Number.NaN;
    capabilityKw.values[row] = hasWidth ? widths.capabilityTenths[i] * 100 : Number.NaN;
  }

  ended(instruction: Instruction): void {
    this.written.delete(instruction);
  }

  finish(): void {
    this.buffer.flush();
  }
}
