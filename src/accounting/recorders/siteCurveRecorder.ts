import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { turningPointMs } from "../../engine/device/curve/curve.ts";
import type { StoragePart } from "../../engine/site/components/parts.ts";
import { newSegment, segmentKwAt } from "../../engine/site/components/segment.ts";
import type { Site } from "../../engine/site/site.ts";
import { componentsOf } from "../../engine/site/siteResource.ts";
import type { OutputControlSpan, SiteCurves, SocTimeline } from "../runRecord.ts";
import { baselineUntilMs } from "../settlement/varyingMember.ts";
import { binsOf, EnvelopeRecorder, equalBins } from "./envelope.ts";
import { PolylineRecorder } from "./polyline.ts";
import { LONG_RUN_MS } from "./timeline.ts";

/** Points of all curves of all sites together. */
const POINTS_TOTAL = { short: 60_000, long: 640_000 };
const CURVES_PER_SITE = 4;
/** Points of one curve. */
const POINTS_RANGE = { min: 100, max: { short: 2500, long: 40_000 } };
/**
 * Of the power of a site in a long run of many sites: enough for an envelope of a year in bins of two days. Curves are drawn there only
 * if they have every hour; larger ones would no longer fit into the cache of a processor.
 */
const ENVELOPE_POINTS = 760;
/** Sites up to which batteries have their state of charge by the hour. */
const HOURLY_SITES_MAX = 12;

interface Period {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

interface CurveRecorders {
  readonly setpointKw: PolylineRecorder;
  readonly powerKw: PolylineRecorder;
  readonly baselineKw: PolylineRecorder;
  /** Without points for a site without storage. */
  readonly socPct: PolylineRecorder;
  readonly stores: readonly StoreCurves[];
}

/** State of charge of one battery or reservoir. */
interface StoreCurves {
  readonly battery: StoragePart;
  readonly socPct: PolylineRecorder;
  readonly bins: EnvelopeRecorder;
  readonly hours: EnvelopeRecorder | null;
}

/** Curves of every site for the charts of a report, from its trajectories. @see docs/model/report-files.md#charts */
export class SiteCurveRecorder extends Copyable {
  private readonly curves: readonly CurveRecorders[];
  private readonly outputControls: OutputControlSpan[] = [];
  private readonly lastControlIndex = new Map<Site, number>();
  private readonly segment = newSegment();

  /** @param drawnSites  number of sites that share the points of the charts */
  constructor(sites: readonly Site[], period: Period, drawnSites: number, midnightMs: EpochMs) {
    super();
    const length = LONG_RUN_MS < period.endMs - period.startMs ? "long" : "short";
    const share = Math.floor(POINTS_TOTAL[length] / (CURVES_PER_SITE * drawnSites));
    const hasCurves = length === "short" || (4 * (period.endMs - period.startMs)) / MS_PER_HOUR <= share;
    const pointsMax = hasCurves
      ? Math.min(POINTS_RANGE.max[length], Math.max(POINTS_RANGE.min, share))
      : POINTS_RANGE.min;
    const powerPointsMax = hasCurves ? pointsMax : ENVELOPE_POINTS;
    const bins = binsOf(period, midnightMs);
    const hours = equalBins(period, MS_PER_HOUR, midnightMs);
    const curve = (most = pointsMax) => new PolylineRecorder(bins.startMs, most);
    this.curves = sites.map(({ resource }) => {
      const socPct = curve();
      const batteries = componentsOf(resource).filter((component) => component.role === "storage");
      const stores = batteries.map((battery) => ({
        battery,
        // The state of charge of a site with one store is that of the store.
        socPct: batteries.length === 1 ? socPct : curve(),
        bins: new EnvelopeRecorder(bins),
        hours: drawnSites <= HOURLY_SITES_MAX ? new EnvelopeRecorder(hours) : null,
      }));
      return { setpointKw: curve(), powerKw: curve(powerPointsMax), baselineKw: curve(), socPct, stores };
    });
  }

  /** Records a site's trajectory between two changes of the site. */
  recordTrajectory(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    if (toMs <= fromMs) return;
    this.recordPower(site, fromMs, toMs);
    this.recordBaseline(site, fromMs, toMs);
    this.recordOutputControl(site, fromMs, toMs);
  }

  /** Power and stored energy at both ends of each segment and at its turning point. */
  private recordPower(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const { resource } = site;
    const { segment } = this;
    const curves = this.curves[site.index];
    const { powerKw } = curves;
    for (let atMs = fromMs; atMs < toMs; ) {
      resource.segmentAt(atMs, segment);
      const untilMs = Math.min(segment.endMs, toMs);
      const turnMs = segment.originMs + turningPointMs(segment.kwPerMs, segment.kwPerMs2, segment.ratePerMs);
      powerKw.add(atMs, segmentKwAt(segment, atMs));
      if (atMs < turnMs && turnMs < untilMs) powerKw.add(turnMs, segmentKwAt(segment, turnMs));
      powerKw.add(untilMs, segmentKwAt(segment, untilMs));
      addSoc(curves, site, atMs);
      // Stored energy is a straight line only while the power is constant.
      if (segment.kwPerMs !== 0 || segment.kwPerMs2 !== 0) addSoc(curves, site, 0.5 * (atMs + untilMs));
      addSoc(curves, site, untilMs);
      atMs = untilMs;
    }
  }

  /** The reported baseline, and the set-point: the baseline plus the dispatched change of power. */
  private recordBaseline(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const { baselineKw, setpointKw } = this.curves[site.index];
    const deltaKw = site.isInService ? (site.dispatchedDeltaKw ?? 0) : 0;
    for (let atMs = fromMs; atMs < toMs; ) {
      const untilMs = Math.min(baselineUntilMs(site, atMs), toMs);
      const kw = site.reportedBaselineKw(atMs);
      baselineKw.add(atMs, kw);
      baselineKw.add(untilMs, kw);
      setpointKw.add(atMs, kw + deltaKw);
      setpointKw.add(untilMs, kw + deltaKw);
      atMs = untilMs;
    }
  }

  private recordOutputControl(site: Site, fromMs: EpochMs, toMs: EpochMs): void {
    const limitPct = 100 * site.outputLimitShare;
    if (100 <= limitPct) return;
    const last = this.lastControlIndex.get(site);
    const span = last === undefined ? undefined : this.outputControls[last];
    if (last !== undefined && span?.endMs === fromMs && span.limitPct === limitPct)
      this.outputControls[last] = { ...span, endMs: toMs };
    else {
      this.lastControlIndex.set(site, this.outputControls.length);
      this.outputControls.push({ site: site.spec.name, startMs: fromMs, endMs: toMs, limitPct });
    }
  }

  siteCurves(sites: readonly Site[]): SiteCurves[] {
    return sites.map(({ spec, index }) => {
      const { setpointKw, powerKw, baselineKw, socPct } = this.curves[index];
      return {
        site: spec.name,
        setpointKw: setpointKw.finish(),
        powerKw: powerKw.finish(),
        baselineKw: baselineKw.finish(),
        socPct: socPct.finish(),
      };
    });
  }

  socTimeline(sites: readonly Site[]): SocTimeline {
    const batteries = sites.flatMap(({ spec, index }) =>
      this.curves[index].stores.map(({ battery, socPct, bins, hours }) => ({
        site: spec.name,
        componentId: battery.spec.componentId,
        socPct: socPct.finish(),
        envelope: bins.finish(),
        hours: hours?.finish() ?? null,
      })),
    );
    return { batteries };
  }

  /** Periods of limited output, by start. */
  outputControlSpans(): readonly OutputControlSpan[] {
    return this.outputControls
      .map((span, k) => ({ span, k }))
      .sort((a, b) => a.span.startMs - b.span.startMs || a.k - b.k)
      .map(({ span }) => span);
  }
}

function addSoc({ socPct, stores }: CurveRecorders, { resource }: Site, atMs: EpochMs): void {
  const sitePct = stores.length === 1 ? null : resource.socPctAt(atMs);
  if (sitePct !== null) socPct.add(atMs, sitePct);
  for (const { battery, socPct: curve, bins, hours } of stores) {
    const pct = battery.socPctAt(atMs);
    curve.add(atMs, pct);
    bins.add(atMs, pct);
    hours?.add(atMs, pct);
  }
}
