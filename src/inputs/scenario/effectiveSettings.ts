import { canonicalPieces } from "../../base/canonicalJson.ts";
import { sha256OfPieces } from "../../base/ids.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { SeriesRegistry } from "./build/seriesRegistry.ts";
import type { PatchTarget } from "./patch/applyPatch.ts";
import type { SeriesDigest } from "./scenarioHash.ts";
import type { ScenarioContent } from "./scenarioSource.ts";

type Setting = string | number | boolean;
/** A study path with its value. */
export type SettingEntry = readonly [path: string, value: Setting];

/** Values of a scenario by study path (docs/model/report-files.md#scenario). */
export type Settings = Readonly<Record<string, Setting>>;

interface SettingsSource {
  readonly content: ScenarioContent;
  /** With the patch applied. */
  readonly target: PatchTarget;
  readonly series: SeriesRegistry;
  readonly digestOf: SeriesDigest;
  /** `null`: no session opened within the run. */
  readonly sessionOpenedMs: EpochMs | null;
}

/** Keys that name the owner of other keys, that a path contains, or that have a path of their own. */
const KEYS_OF_OTHER_PATHS: ReadonlySet<string> = new Set([
  "name",
  "component_id",
  "site",
  "count",
  "members",
  "allocation_weight",
]);

/**
 * The effective scenario as a flat list, for the comparison of two reports. It has the paths of studies and patches,
 * with defaults and patches applied. Lists of rows and series are digests. No path occurs twice.
 */
export function* effectiveSettings({
  content,
  target,
  series,
  digestOf,
  sessionOpenedMs,
}: SettingsSource): Iterable<SettingEntry> {
  const { sites, vpps, awards, bids } = target;
  const { frequency, market, settlement, investment } = target.parts;
  const leaves = new LeavesOfKeys();
  for (const { config, members } of vpps) {
    for (const member of members) {
      const { name } = sites[member.siteIndex];
      yield [`weights.${config.name}.${name}`, member.config.allocation_weight];
      yield* leaves.below(`vpps.${config.name}.members.${name}`, member.config);
    }
    yield* leaves.below(`vpps.${config.name}`, config);
  }
  for (const { name, config } of sites) yield* leaves.below(`sites.${name}`, config);
  yield* leaves.below("frequency", frequency);
  yield* leaves.below("market", market);
  yield* leaves.below("settlement.values", settlement?.values);
  yield* leaves.below("investment", investment);
  if (sessionOpenedMs !== null) yield ["session.opened_at", isoUtc(sessionOpenedMs)];
  const interval = content.config.report?.interval;
  if (interval !== undefined) yield ["report.interval", interval];
  const rows = { awards, bids, instructions: content.instructions, events: content.events };
  for (const [name, list] of Object.entries(rows)) if (list.length > 0) yield [name, rowsText(list)];
  for (const [name, digest] of series.digests(digestOf)) yield [`series.${name}`, digest.slice(0, DIGEST_LENGTH)];
}

const DIGEST_LENGTH = 12;

const rowsText = (rows: readonly object[]): string =>
  `${rows.length} rows, ${sha256OfPieces(canonicalPieces(rows)).slice(0, DIGEST_LENGTH)}`;

/** Numbers, texts and flags below keys of the file. Sites and members of one entry follow each other and share their keys. */
class LeavesOfKeys {
  private keys: object | undefined;
  private leaves: readonly SettingEntry[] = [];

  *below(path: string, keys: object | undefined): Iterable<SettingEntry> {
    if (keys !== this.keys) {
      const leaves: Record<string, Setting> = {};
      addLeaves(leaves, "", keys);
      this.keys = keys;
      this.leaves = Object.entries(leaves);
    }
    for (const [end, value] of this.leaves) yield [path + end, value];
  }
}

/** Entries of a list by component_id or position. */
function addLeaves(leaves: Record<string, Setting>, path: string, value: unknown): void {
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") leaves[path] = value;
  else if (Array.isArray(value))
    for (const [k, item] of value.entries()) addLeaves(leaves, `${path}.${item?.component_id ?? k}`, item);
  else if (value !== null && typeof value === "object")
    for (const [key, member] of Object.entries(value))
      if (!KEYS_OF_OTHER_PATHS.has(key)) addLeaves(leaves, `${path}.${key}`, member);
}
