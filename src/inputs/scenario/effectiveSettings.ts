import { canonicalPieces } from "../../base/canonicalJson.ts";
import { sha256OfPieces } from "../../base/ids.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { SeriesRegistry } from "./build/seriesRegistry.ts";
import type { PatchTarget } from "./patch/applyPatch.ts";
import type { ScenarioContent } from "./scenarioSource.ts";
import type { MemberConfig } from "./schema/vppSchema.ts";

type Setting = string | number | boolean;

/** Values of a scenario by study path (docs/model/report-files.md#scenario). */
export type Settings = Readonly<Record<string, Setting>>;

/** Settings whose paths begin alike. Sites and members of one entry share the list of their ends. */
export interface SettingGroup {
  readonly path: string;
  readonly leaves: SettingLeaves;
}

/** Ends of paths with their values. */
export type SettingLeaves = readonly (readonly [end: string, value: Setting])[];

/** With the patch applied. */
interface SettingsSource extends Pick<PatchTarget, "sites" | "vpps" | "parts"> {
  readonly intervalMs: number;
  /** @see digestSettings */
  readonly digests: SettingLeaves;
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

/** Digests of lists and series. The rows of a year take more memory than the world that is built of them, so they are not held. */
export function digestSettings(
  { instructions, events }: ScenarioContent,
  { awards, bids }: PatchTarget,
  series: ReturnType<SeriesRegistry["digests"]>,
): SettingLeaves {
  const lists: [string, readonly object[]][] = Object.entries({ awards, bids, instructions, events });
  return [
    ...lists.flatMap(([name, rows]) => (rows.length === 0 ? [] : [[name, rowsText(rows)] as const])),
    ...series.map(([name, digest]) => [`series.${name}`, digest.slice(0, DIGEST_LENGTH)] as const),
  ];
}

/**
 * The effective scenario as a flat list, for the comparison of two reports. It has the paths of studies and patches,
 * with defaults and patches applied. Lists of rows and series are digests. No path occurs twice.
 */
export function* effectiveSettings({
  sites,
  vpps,
  parts,
  intervalMs,
  digests,
  sessionOpenedMs,
}: SettingsSource): Iterable<SettingGroup> {
  const { frequency, market, settlement, investment } = parts;
  const weights = new SharedLeaves<MemberConfig>(({ allocation_weight }) => [["", allocation_weight]]);
  const shared = new SharedLeaves(leavesBelow);
  for (const { config, members } of vpps) {
    for (const member of members) {
      const { name } = sites[member.siteIndex];
      yield { path: `weights.${config.name}.${name}`, leaves: weights.of(member.config) };
      yield { path: `vpps.${config.name}.members.${name}`, leaves: shared.of(member.config) };
    }
    yield { path: `vpps.${config.name}`, leaves: leavesBelow(config) };
  }
  for (const { name, config } of sites) yield { path: `sites.${name}`, leaves: shared.of(config) };
  const others = { frequency, market, "settlement.values": settlement?.values, investment };
  for (const [path, keys] of Object.entries(others)) yield { path, leaves: leavesBelow(keys) };
  const single = (path: string, value: Setting): SettingGroup => ({ path, leaves: [["", value]] });
  if (sessionOpenedMs !== null) yield single("session.opened_at", isoUtc(sessionOpenedMs));
  yield single("report.interval", intervalMs);
  yield { path: "", leaves: digests };
}

const DIGEST_LENGTH = 12;

const rowsText = (rows: readonly object[]): string =>
  `${rows.length} rows, ${sha256OfPieces(canonicalPieces(rows)).slice(0, DIGEST_LENGTH)}`;

/** The leaves of keys of the file. Sites and members of one entry follow each other and share their keys. */
class SharedLeaves<Keys extends object> {
  private readonly leavesOf: (keys: Keys) => SettingLeaves;
  private keys: Keys | undefined;
  private leaves: SettingLeaves = [];

  constructor(leavesOf: (keys: Keys) => SettingLeaves) {
    this.leavesOf = leavesOf;
  }

  of(keys: Keys): SettingLeaves {
    if (keys !== this.keys) this.leaves = this.leavesOf(keys);
    this.keys = keys;
    return this.leaves;
  }
}

/** Numbers, texts and flags below keys of the file. */
function leavesBelow(keys: object | undefined): SettingLeaves {
  const leaves: Record<string, Setting> = {};
  addLeaves(leaves, "", keys);
  return Object.entries(leaves);
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
