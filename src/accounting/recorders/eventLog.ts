import type { EpochMs } from "../../base/time.ts";
import { DEVICE_LIMIT } from "../../device/curve/trajectory.ts";
import type { BatteryComponent } from "../../site/components/battery/batteryComponent.ts";
import type { DispatchableComponent } from "../../site/components/dispatchable/dispatchableComponent.ts";
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
  private readonly wasAtBound = new Map<BatteryComponent | DispatchableComponent, boolean>();

  addEvent(atMs: EpochMs, kind: string, subject: string, detail: string): void {
    this.events.push({ atMs, kind, subject, detail });
  }

  /** Reads off a site's law, before it ends, what nobody told: bounds that were met, reductions that began or ended. */
  addTrajectoryEvents(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const { resource: unit } = site;
    if (unit.kind === "battery" || unit.kind === "dispatchable") this.addBoundEvents(site, unit, fromMs, toMs);
    else if (unit.kind === "consumer") this.addReductionEvent(site, fromMs);
    else if (unit.kind === "multi_component") {
      for (const part of unit.components)
        if (part.kind === "battery" || part.kind === "dispatchable") this.addBoundEvents(site, part, fromMs, toMs);
      if (unit.consumers.length > 0) this.addReductionEvent(site, fromMs);
    }
  }

  private addBoundEvents(
    site: Site,
    unit: BatteryComponent | DispatchableComponent,
    fromMs: EpochMs,
    toMs: EpochMs,
  ): void {
    const { trajectory: law } = unit;
    let wasAtBound = this.wasAtBound.get(unit) === true;
    for (let k = 0; k < law.count && law.startMs[k] < toMs; k++) {
      if (k + 1 < law.count && law.startMs[k + 1] <= fromMs) continue;
      const atBound = law.limitedBy[k] === DEVICE_LIMIT.socBound;
      if (atBound && !wasAtBound) {
        const isEmpty = law.storedKwhAt(law.startMs[k]) < midpointKwh(unit);
        const which = site.resource === unit ? "" : `${unit.spec.componentId}: `;
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

/** Half way between the bounds of the store. */
function midpointKwh({ spec }: BatteryComponent | DispatchableComponent): number {
  if (spec.kind === "dispatchable") return (spec.reservoir?.capacityKwh ?? 0) / 2;
  return ((spec.socOpMinPct + spec.socOpMaxPct) / 200) * spec.ratedCapKwh;
}
