import type { EpochMs } from "../../base/time.ts";
import { DEVICE_LIMIT } from "../../device/curve/trajectory.ts";
import type { Storage } from "../../site/components/capabilities.ts";
import type { Site } from "../../site/site.ts";
import { BLOCK_ROWS, BlockBuffer, instantColumn } from "./blockBuffer.ts";
import { reductionKwOf } from "./reductionRecorder.ts";
import type { BlockSink } from "./tableBlock.ts";

interface LoggedEvent {
  readonly atMs: EpochMs;
  readonly kind: string;
  readonly subject: string;
  readonly detail: string;
}

/** What happened, in order of time; equal times in the order they were told. */
export class EventLog {
  private readonly events: LoggedEvent[] = [];
  private readonly wasReducing = new Map<Site, boolean>();
  private readonly wasAtBound = new Map<Storage, boolean>();

  addEvent(atMs: EpochMs, kind: string, subject: string, detail: string): void {
    this.events.push({ atMs, kind, subject, detail });
  }

  /** Reads off a site's law, before it ends, what nobody told: bounds that were met, reductions that began or ended. */
  addTrajectoryEvents(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const { resource } = site;
    if (resource.composite === null) {
      if (resource.storage !== null) this.addBoundEvents(site, resource.storage, fromMs, toMs);
    } else
      for (const { storage } of resource.components)
        if (storage !== null) this.addBoundEvents(site, storage, fromMs, toMs);
    if (resource.hasLoad) this.addReductionEvent(site, fromMs);
  }

  private addBoundEvents(site: Site, unit: Storage, fromMs: EpochMs, toMs: EpochMs): void {
    const { trajectory: law } = unit;
    let wasAtBound = this.wasAtBound.get(unit) === true;
    for (let k = 0; k < law.count && law.startMs[k] < toMs; k++) {
      if (k + 1 < law.count && law.startMs[k + 1] <= fromMs) continue;
      const atBound = law.limitedBy[k] === DEVICE_LIMIT.socBound;
      if (atBound && !wasAtBound) {
        const isEmpty = law.storedKwhAt(law.startMs[k]) < unit.midpointKwh;
        const which = site.resource.composite === null ? "" : `${unit.spec.componentId}: `;
        this.addEvent(Math.ceil(law.startMs[k]), "soc_bound", site.spec.name, `${which}${isEmpty ? "empty" : "full"}`);
      }
      wasAtBound = atBound;
    }
    this.wasAtBound.set(unit, wasAtBound);
  }

  private addReductionEvent(site: Site, fromMs: EpochMs): void {
    const { reducing, endedMs } = site.reduction;
    const was = this.wasReducing.get(site) ?? false;
    if (was === reducing) return;
    this.wasReducing.set(site, reducing);
    if (reducing) this.addEvent(fromMs, "dr_event", site.spec.name, `begins, ${reductionKwOf(site)} kW`);
    else this.addEvent(endedMs, "dr_event", site.spec.name, "ends");
  }

  writeTo(sink: BlockSink): void {
    const sorted = this.events.map((happening, order) => ({ ...happening, order }));
    sorted.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
    const at = instantColumn("at");
    const kind: string[] = new Array(BLOCK_ROWS).fill("");
    const subject: string[] = new Array(BLOCK_ROWS).fill("");
    const detail: string[] = new Array(BLOCK_ROWS).fill("");
    const buffer = new BlockBuffer(
      sink,
      [
        at,
        { name: "kind", kind: "text", values: kind },
        { name: "subject", kind: "text", values: subject },
        { name: "detail", kind: "text", values: detail },
      ],
      BLOCK_ROWS,
    );
    for (const happening of sorted) {
      const row = buffer.nextRow();
      at.values[row] = happening.atMs;
      kind[row] = happening.kind;
      subject[row] = happening.subject;
      detail[row] = happening.detail;
    }
    buffer.flush();
  }
}
