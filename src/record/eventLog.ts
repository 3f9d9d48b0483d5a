import type { EpochMs } from "../base/time.ts";
import { BINDING } from "../device/trajectory.ts";
import type { Site } from "../site/site.ts";
import type { BlockSink } from "./block.ts";
import { BLOCK_ROWS, BlockBuffer, instants } from "./blockBuffer.ts";

interface Happening {
  readonly atMs: EpochMs;
  readonly kind: string;
  readonly subject: string;
  readonly detail: string;
}

/** What happened, in order of time; equal times in the order they were told. */
export class EventLog {
  readonly #happenings: Happening[] = [];
  readonly #wasReducing = new Map<Site, boolean>();
  readonly #wasAtBound = new Map<Site, boolean>();

  add(atMs: EpochMs, kind: string, subject: string, detail: string): void {
    this.#happenings.push({ atMs, kind, subject, detail });
  }

  /** Reads off a site's law, before it ends, what nobody told: bounds that were met, reductions that began or ended. */
  readLaw(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    if (site.unit.kind === "battery") this.#readBounds(site, fromMs, toMs);
    else if (site.unit.kind === "consumer") this.#readReduction(site, fromMs);
  }

  #readBounds(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    if (site.unit.kind !== "battery") return;
    const { law, spec } = site.unit;
    for (let k = 0; k < law.count && law.startMs[k] < toMs; k++) {
      if (k + 1 < law.count && law.startMs[k + 1] <= fromMs) continue;
      const atBound = law.binds[k] === BINDING.socBound;
      if (atBound && this.#wasAtBound.get(site) !== true) {
        const socPct = (100 * law.storedKwhAt(law.startMs[k])) / spec.ratedCapKwh;
        const middle = (spec.socOpMinPct + spec.socOpMaxPct) / 2;
        this.add(Math.ceil(law.startMs[k]), "soc_bound", site.spec.name, socPct < middle ? "empty" : "full");
      }
      this.#wasAtBound.set(site, atBound);
    }
  }

  #readReduction(site: Site, fromMs: EpochMs): void {
    const { reducing, endedMs } = site.reduction;
    const was = this.#wasReducing.get(site) ?? false;
    if (was === reducing) return;
    this.#wasReducing.set(site, reducing);
    if (reducing) this.add(fromMs, "dr_event", site.spec.name, `begins, ${-(site.dispatchedDeltaKw ?? 0)} kW`);
    else this.add(endedMs, "dr_event", site.spec.name, "ends");
  }

  writeTo(sink: BlockSink): void {
    const sorted = this.#happenings.map((happening, order) => ({ ...happening, order }));
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
