import type { SitePowerHistory, SiteSpecifications } from "../../../api/client/index.ts";
import type { PowerAward } from "../../../api/client/sandboxTypes.ts";
import type { Texts } from "../../app/preferences.tsx";
import { formatPct } from "../../format/numbers.ts";
import { msOf } from "../../format/times.ts";
import type { ChartLimit, ChartLine, ChartSpec } from "../../parts/chart/chartSpec.ts";
import { awardBlocks } from "../now/powerSpec.ts";

/** Intervals of the site API's power history, in seconds. */
const INTERVALS = [1, 60, 1_800, 3_600, 86_400] as const;
const POINTS_MAX = 1_500;

/** The shortest interval with which a period has not too many points. */
export const historyInterval = (spanS: number): (typeof INTERVALS)[number] =>
  INTERVALS.find((intervalS) => spanS / intervalS <= POINTS_MAX) ?? 86_400;

interface SiteChartInput {
  readonly history: SitePowerHistory;
  readonly specifications: SiteSpecifications | null;
  readonly fromS: number;
  readonly toS: number;
  readonly nowS: number;
  /** Awards of the VPP that the site is a member of. */
  readonly awards: readonly PowerAward[];
}

type Sample = SitePowerHistory["data"][number];

/** A change of the set-point of a site; `null`: it ends. */
export interface SiteDispatch {
  readonly at: string;
  readonly kw: number | null;
}

/** Changes of the set-point in a history, newest first. */
export function siteDispatches({ data }: SitePowerHistory): readonly SiteDispatch[] {
  const kwOf = ({ dispatched_delta_kw: kw }: Sample) => (kw === undefined || kw === 0 ? null : kw);
  return data
    .flatMap((sample, k) => {
      const kw = kwOf(sample);
      return k === 0 || kw === kwOf(data[k - 1]) ? [] : [{ at: sample.timestamp, kw }];
    })
    .reverse();
}

/** The charts of a site; `soc` is `null` where the site has no state of charge. */
export function siteSpecs(
  { history, specifications, fromS, toS, nowS, awards }: SiteChartInput,
  t: Texts["t"],
): { readonly power: ChartSpec; readonly soc: ChartSpec | null } {
  const { times, samples } = withGaps(history);
  // The clock was read at another instant, which at a high speed is minutes away.
  const shownNowS = Math.max(nowS, times.at(-1) ?? nowS);
  const column = (read: (sample: Sample) => number | null | undefined) =>
    samples.map((sample) => (sample === null ? null : (read(sample) ?? null)));
  const frame = { times, causes: [], blocks: [], marks: [], fromS, toS, nowS: shownNowS } as const;
  const power: ChartSpec = {
    ...frame,
    blocks: awardBlocks(awards, t),
    lines: [
      {
        label: t("site.set_point"),
        unit: "kW",
        values: column(({ dispatched_delta_kw }) => dispatched_delta_kw),
        colour: "requested",
        shape: "step",
        isDashed: true,
      },
      {
        label: t("word.delivered"),
        unit: "kW",
        values: column(({ delta_kw }) => delta_kw),
        colour: "delivered",
        shape: "line",
        isFilled: true,
      },
    ],
    limits: [],
    unit: "kW",
    hasHead: true,
    range: null,
  };
  const lines = socLines(samples, t);
  return {
    power,
    soc:
      lines.length === 0
        ? null
        : {
            ...frame,
            lines,
            limits: windowLimits(specifications, fromS, toS, t),
            unit: "%",
            hasHead: false,
            range: [0, 100],
          },
  };
}

/**
 * The state of charge as measured and, dashed, as stale: a site that sends no values has no power either. The stale line begins
 * at the last measured value. Empty where the site has no state of charge.
 */
function socLines(samples: readonly (Sample | null)[], t: Texts["t"]): ChartLine[] {
  const measured = samples.map((sample) =>
    sample === null || sample.current_kw === null ? null : (sample.soc ?? null),
  );
  const isStale = samples.map((sample, k) => measured[k] === null && sample !== null && (sample.soc ?? null) !== null);
  const stale = samples.map((sample, k) => (isStale[k] || isStale[k + 1] === true ? (sample?.soc ?? null) : null));
  const shared = { unit: "%", colour: "delivered", shape: "line" } as const;
  const lines: ChartLine[] = [
    { ...shared, label: t("site.soc"), values: measured },
    { ...shared, label: t("site.soc_stale"), values: stale, isDashed: true },
  ];
  return lines.filter(({ values }) => values.some((value) => value !== null));
}

/** Samples that are missing become instants without a value, so that no line joins over them. */
function withGaps({ data, interval_seconds }: SitePowerHistory) {
  const times: number[] = [];
  const samples: (Sample | null)[] = [];
  for (const sample of data) {
    const atS = msOf(sample.timestamp) / 1_000;
    const lastS = times.at(-1);
    if (lastS !== undefined && atS - lastS > 1.5 * interval_seconds) {
      times.push(lastS + interval_seconds);
      samples.push(null);
    }
    times.push(atS);
    samples.push(sample);
  }
  return { times, samples };
}

/** Ends of the operating window, of a site with one storage. */
function windowLimits(
  specifications: SiteSpecifications | null,
  fromS: number,
  toS: number,
  t: Texts["t"],
): ChartLimit[] {
  const storages = (specifications?.components ?? []).filter(({ soc_op_min }) => soc_op_min !== undefined);
  const [{ soc_op_min: low, soc_op_max: high } = {}] = storages;
  if (storages.length !== 1 || low === undefined || high === undefined) return [];
  return [
    { fromS, toS, value: low, label: t("site.window_low", { value: formatPct(low) }) },
    { fromS, toS, value: high, label: t("site.window_high", { value: formatPct(high) }) },
  ];
}
