import { afterEach, beforeEach, describe, test, vi } from "vitest";
import type { EpochMs } from "../../src/base/time.ts";
import type { Series } from "../../src/engine/series/model/series.ts";
import { DispatchableComponent } from "../../src/engine/site/components/dispatchable/dispatchableComponent.ts";
import { DISPATCHABLE } from "../../src/engine/site/components/dispatchable/dispatchableKind.ts";
import type { Segment } from "../../src/engine/site/components/segment.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { consumer, evenSeries, flat, losslessBattery, pumped, site } from "../simulation/smallWorld.ts";
import { checkWorldCase } from "../simulation/worldCases.ts";

const DEMAND_KW = evenSeries("draw", 30, [20, 60, 60, 60, 60]);

/** A pump with a demand of its own, to which its set-points add. */
class PumpWithDemand extends DispatchableComponent {
  override get naturalKw(): Series {
    return DEMAND_KW;
  }

  override get naturalMaxKw(): number {
    return 60;
  }

  override segmentAt(atMs: EpochMs, out: Segment): void {
    super.segmentAt(atMs, out);
    out.kw += DEMAND_KW.valueAt(atMs);
    out.endMs = Math.min(out.endMs, DEMAND_KW.nextChangeMs(atMs));
  }
}

beforeEach(() => {
  vi.spyOn(DISPATCHABLE, "createPart").mockImplementation((spec, limits) => new PumpWithDemand(spec, limits, 0));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const small = site("x", losslessBattery());

const siteOf = (components: SiteSpec["components"], planKw: number, more: Partial<SiteSpec> = {}): SiteSpec => ({
  ...site("m", components[0], { baseline: { method: "constant", kw: planKw }, ...more }),
  components,
  capability: { ...small.capability, reverseFlowAllowed: true },
});

const load = consumer(flat(300), { componentId: "load" });

describe("a plant with a demand of its own, behind a meter with others", () => {
  test("draws it without a set-point", () =>
    checkWorldCase({
      title: "idle",
      sites: [siteOf([pumped({ pumpMaxKw: 50 }), load], 320)],
      powerKw: { m: ["00:00 320", "00:30 360"] },
    }));

  test("is cut to what the import limit leaves beside all demands", () =>
    checkWorldCase({
      title: "import limit",
      sites: [
        siteOf([pumped({ pumpMaxKw: 50 }), load], 320, {
          constraints: { ...small.constraints, siteImportMaxKw: 380 },
        }),
      ],
      awards: ["00:00-01:00 50"],
      powerKw: { m: ["00:00 370", "00:30 380", "01:00 360"] },
    }));

  test("is compensated by a battery that tracks the meter", () =>
    checkWorldCase({
      title: "tracking",
      sites: [siteOf([pumped({ pumpMaxKw: 50 }), losslessBattery()], 0, { control: "track" })],
      powerKw: { m: ["00:00 0"] },
      expectedSites: { m: { throughputKwh: 100 } },
    }));
});
