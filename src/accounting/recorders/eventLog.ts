import type { EpochMs } from "../../base/time.ts";
import { BINDING } from "../../device/curve/trajectory.ts";
import type { BatteryUnit } from "../../site/components/batteryUnit.ts";
import type { DispatchableUnit } from "../../site/components/dispatchableUnit.ts";
import type { Site } from "../../site/site.ts";
import type { BlockSink } from "./block.ts";
import { BLOCK_ROWS, BlockBuffer, instants } from "./blockBuffer.ts";
import { reductionKwOf } from "./reductionBook.ts";

interface Happening {
  readonly atMs: EpochMs;
  readonly kind: string;
  readonly subject: string;
  readonly detail: string;
}

/** What happened, in order of time; equal times in the order they were told. */
export class EventLog {
  private readonly happenings: Happening[] = [];
  private readonly wasReducing = new Map<Site, boolean>();
  private readonly wasAtBound = new Map<BatteryUnit | DispatchableUnit, boolean>();

  add(atMs: EpochMs, kind: string, subject: string, detail: string): void {
    this.happenings.push({ atMs, kind, subject, detail });
  }

  /** Reads off a site's law, before it ends, what nobody told: bounds that were met, reductions that began or ended. */
  readLaw(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const { unit } = site;
    if (unit.kind === "battery" || unit.kind === "dispatchable") this.readBounds(site, unit, fromMs, toMs);
    else if (unit.kind === "consumer") this.readReduction(site, fromMs);
    else if (unit.kind === "multi_component") {
      for (const part of unit.parts)
        if (part.kind === "battery" || part.kind === "dispatchable") this.readBounds(site, part, fromMs, toMs);
      if (unit.consumers.length > 0) this.readReduction(site, fromMs);
    }
  }

  private readBounds(site: Site, unit: BatteryUnit | DispatchableUnit, fromMs: EpochMs, toMs: EpochMs): void {
    const { law } = unit;
    let wasAtBound = this.wasAtBound.get(unit) === true;
    for (let k = 0; k < law.count && law.startMs[k] < toMs; k++) {
      if (k + 1 < law.count && law.startMs[k + 1] <= fromMs) continue;
      const atBound = law.binds[k] === BINDING.socBound;
      if (atBound && !wasAtBound) {
        const isEmpty = law.storedKwhAt(law.startMs[k]) < middleKwh(unit);
        const which = site.unit === unit ? "" : `${unit.spec.componentId}: `;
        this.add(Math.ceil(law.startMs[k]), "soc_bound", site.spec.name, `${which}${isEmpty ? "empty" : "full"}`);
      }
      wasAtBound = atBound;
    }
    this.wasAtBound.set(unit, wasAtBound);
  }

  private readReduction(site: Site, fromMs: EpochMs): void {
    const { reducing, endedMs } = site.reduction;
    const was = this.wasReducing.get(site) ?? false;
    if (was === reducing) return;
    this.wasReducing.set(site, reducing);
    if (reducing) this.add(fromMs, "dr_event", site.spec.name, `begins, ${reductionKwOf(site)} kW`);
    else this.add(endedMs, "dr_event", site.spec.name, "ends");
  }

  writeTo(sink: BlockSink): void {
    const sorted = this.happenings.map((happening, order) => ({ ...happening, order }));
    sorted.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
    const at = instants("at");
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
function middleKwh({ spec }: BatteryUnit | DispatchableUnit): number {
  if (spec.kind === "dispatchable") return (spec.reservoir?.capacityKwh ?? 0) / 2;
  return ((spec.socOpMinPct + spec.socOpMaxPct) / 200) * spec.ratedCapKwh;
}
