import type { EpochMs } from "../../../base/time.ts";
import type { Series } from "../../../engine/series/model/series.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";
import type { ExpandedSite, ExpandedVpp } from "../build/expandEntries.ts";
import type { AwardConfig, InstructionConfig } from "../schema/awardSchema.ts";
import type { EventConfig } from "../schema/eventSchema.ts";
import type { ScenarioConfig } from "../schema/scenarioSchema.ts";
import type { CheckName } from "./checkRegistry.ts";

/** An extreme value of a series and its instant. */
interface Extreme {
  readonly value: number;
  readonly atMs: EpochMs;
}

export interface SeriesExtremes {
  readonly least: Extreme;
  readonly most: Extreme;
}

/** The smallest and the largest sample that holds within a period; `null` where the series does not cover its start. */
export function seriesExtremes(series: Series, startMs: EpochMs, endMs: EpochMs): SeriesExtremes | null {
  const { timesMs, values, untilMs } = series;
  if (untilMs <= startMs || endMs <= timesMs[0]) return null;
  const first = startMs <= timesMs[0] ? 0 : series.indexAt(startMs);
  let least = first;
  let most = first;
  let leastValue = values[first];
  let mostValue = leastValue;
  for (let k = first + 1; k < timesMs.length && timesMs[k] < endMs; k++) {
    const value = values[k];
    if (value < leastValue) {
      least = k;
      leastValue = value;
    } else if (mostValue < value) {
      most = k;
      mostValue = value;
    }
  }
  const extremeAt = (k: number): Extreme => ({ value: values[k], atMs: Math.max(startMs, timesMs[k]) });
  return { least: extremeAt(least), most: extremeAt(most) };
}

/** A valid scenario as the checks see it: its keys, after a patch, and the world that was built from them. */
export interface CheckContext {
  readonly config: ScenarioConfig;
  /** In the order of `world.sites`. */
  readonly sites: readonly ExpandedSite[];
  readonly vpps: readonly ExpandedVpp[];
  readonly awards: readonly AwardConfig[];
  readonly instructions: readonly InstructionConfig[];
  readonly events: readonly EventConfig[];
  readonly world: WorldSpec;
  /** Extreme values of a series within the run; computed once for each series. */
  extremesOf(series: Series): SeriesExtremes | null;
  /** Whether a key stands in a file, and its value is no default. */
  isWritten(owner: object, key: string): boolean;
  /** Adds a remark at a key of a mapping of the scenario, or at the mapping itself (`null`). */
  remark(check: CheckName, place: readonly [owner: object, key: string | null], describe: () => string): void;
}

/** `award A-3`; the defaults of buildAwards.ts. */
export const awardName = ({ award_id: id }: AwardConfig, place: number): string => `award ${id ?? `A-${place + 1}`}`;
export const instructionName = ({ award_id: id }: InstructionConfig, place: number): string =>
  `instruction ${id ?? `I-${place + 1}`}`;

/** The first site of each entry and the number of its sites; sites of one entry share their keys. */
interface SiteEntry {
  readonly first: number;
  readonly count: number;
  readonly label: string;
}

export function siteEntries({ sites }: CheckContext): readonly SiteEntry[] {
  const entries = new Map<object, { first: number; count: number }>();
  sites.forEach(({ config }, k) => {
    const known = entries.get(config);
    if (known === undefined) entries.set(config, { first: k, count: 1 });
    else known.count++;
  });
  return [...entries.values()].map(({ first, count }) => ({
    first,
    count,
    label: count === 1 ? `site ${sites[first].name}` : `site ${sites[first].name} and ${count - 1} more`,
  }));
}
