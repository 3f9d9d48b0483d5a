import { canonicalJson } from "../base/canonicalJson.ts";
import { sha256Hex } from "../base/ids.ts";
import { type EpochMs, isoUtc } from "../base/time.ts";
import type { SeriesRegistry } from "./build/seriesRegistry.ts";
import type { PatchTarget } from "./patch/applyPatch.ts";
import type { ScenarioContent } from "./scenarioSource.ts";

/** Values of a scenario by study path (docs/model/report-files.md#scenario). */
export type Settings = Readonly<Record<string, string | number | boolean>>;

interface SettingsSource {
  readonly content: ScenarioContent;
  /** With the patch applied. */
  readonly target: PatchTarget;
  readonly series: SeriesRegistry;
  /** `null`: no session opened within the run. */
  readonly sessionOpenedMs: EpochMs | null;
}

/** Keys that name the owner of other keys, or that a path contains. */
const IDENTITY_KEYS: ReadonlySet<string> = new Set(["name", "component_id", "site", "count"]);

/**
 * The effective scenario as a flat list, for the comparison of two reports. It has the paths of studies and patches,
 * with defaults and patches applied. Lists of rows and series are digests.
 */
export function effectiveSettings({ content, target, series, sessionOpenedMs }: SettingsSource): Settings {
  const settings: Record<string, string | number | boolean> = {};
  const { sites, vpps, awards, bids, frequency } = target;
  for (const { config, members } of vpps) {
    const { members: _, ...options } = config;
    for (const member of members) {
      const path = `weights.${config.name}.${sites[member.siteIndex].name}`;
      const { allocation_weight: weight, ...others } = member.config;
      settings[path] = weight;
      addLeaves(settings, `vpps.${config.name}.members.${sites[member.siteIndex].name}`, others);
    }
    addLeaves(settings, `vpps.${config.name}`, options);
  }
  for (const { name, config } of sites) addLeaves(settings, `sites.${name}`, config);
  addLeaves(settings, "frequency", frequency);
  addLeaves(settings, "market", content.config.market);
  if (sessionOpenedMs !== null) settings["session.opened_at"] = isoUtc(sessionOpenedMs);
  addLeaves(settings, "report.interval", content.config.report?.interval);
  const rows = { awards, bids, instructions: content.instructions, events: content.events };
  for (const [name, list] of Object.entries(rows)) if (list.length > 0) settings[name] = rowsText(list);
  for (const [name, digest] of series.digests()) settings[`series.${name}`] = digest.slice(0, DIGEST_LENGTH);
  return settings;
}

const DIGEST_LENGTH = 12;

const rowsText = (rows: readonly object[]): string =>
  `${rows.length} rows, ${sha256Hex(canonicalJson(rows)).slice(0, DIGEST_LENGTH)}`;

/** Adds numbers, texts and flags below a path; entries of a list by component_id or position. */
function addLeaves(settings: Record<string, string | number | boolean>, path: string, value: unknown): void {
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") settings[path] = value;
  else if (Array.isArray(value))
    for (const [k, item] of value.entries()) addLeaves(settings, `${path}.${item?.component_id ?? k}`, item);
  else if (value !== null && typeof value === "object")
    for (const [key, member] of Object.entries(value))
      if (!IDENTITY_KEYS.has(key)) addLeaves(settings, `${path}.${key}`, member);
}
