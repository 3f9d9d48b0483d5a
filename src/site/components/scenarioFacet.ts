import type { TSchema } from "typebox";
import { boolean, string } from "../../base/schemaBuilders.ts";
import type { EpochMs } from "../../base/time.ts";
import type { GeoLocation } from "../../device/pv/solarPosition.ts";
import type { Series } from "../../series/model/series.ts";
import type { SeriesRequirement, StampLabel } from "../../series/model/seriesOptions.ts";

/** Keys that a component of any kind has in a scenario. */
export const componentProperties = {
  component_id: string({
    minLength: 1,
    maxLength: 64,
    title: "text of 1 to 64 characters",
    description: "Unique within the site",
  }),
  fcr_capable: boolean({ default: false, description: "Whether it can answer grid frequency" }),
};

/** A component as a scenario describes it. A key that the checker has refused is `undefined`. */
export interface ComponentKeys {
  readonly component_id: string;
  readonly component_type: string;
  readonly fcr_capable: boolean;
}

/** What a kind needs to build a component from its keys. */
export interface ComponentBuildPort {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly checker: {
    reportError(owner: object, key: string, found: string, allowed: string): void;
  };
  readonly series: ComponentSeriesPort;
}

/** The scenario's named series. What is wrong about one is reported at the key that names it. */
export interface ComponentSeriesPort {
  /** The series that `owner[key]` names as `series.role`. */
  resolve(owner: object, key: string, use: SeriesRequirement): Series;
  /** The same where the key names the series and its kind the role. */
  resolveRole(owner: object, key: string, reference: { name: string; role: string }, use: SeriesRequirement): Series;
  hasRole(name: string, role: string): boolean;
  stampLabelOf(name: string): StampLabel;
  /** A series computed from another one, once for all that derive it in the same way. */
  deriveOnce(series: Series, how: string, make: () => Series): Series;
}

/** A load, as far as its keys say. */
export interface LoadKeys {
  readonly isReducible: boolean;
  /** The key with the load series, which baselines of past days read; `null` where the load is not a series. */
  readonly history: LoadHistoryKeys | null;
}

export interface LoadHistoryKeys {
  readonly owner: object | undefined;
  readonly key: string;
  /** The load is cut here. */
  readonly maximumKw: number | undefined;
}

/** A PV plant, as far as a baseline by capacity factor needs it. */
export interface PvPlantKeys {
  readonly ratedOutputKw: number;
  /** `null` where the keys do not say. */
  readonly location: GeoLocation | null;
}

/** What the scenario layer needs of a kind: its keys and the component built from them. */
export interface ComponentScenarioFacet<Keys extends ComponentKeys = ComponentKeys, Spec = unknown> {
  /** One schema for each form of the keys. The keys that tell the forms of all kinds apart are constants or lists. */
  readonly schemas: readonly TSchema[];
  /** Whether keys describe a component of this kind. */
  matches(keys: ComponentKeys): boolean;
  /** @returns `null` where the file is wrong, which is reported elsewhere */
  build(port: ComponentBuildPort, keys: Keys, simulatesOutages: boolean): Spec | null;
  /** What a VPP registers a site with this component alone as. */
  resourceType(keys: Keys): "battery" | "generator" | "consumer";
  /** Series that the keys use by name, as `series.role`; references with a role are found by the schema. */
  impliedSeries(keys: Keys): readonly string[];
  /** `null`: not a load. */
  loadKeys(keys: Keys): LoadKeys | null;
  /** `null`: not a PV plant. */
  pvPlantKeys(keys: Keys): PvPlantKeys | null;
  /** Whether the undisturbed power is known without a plan, so that a `perfect` baseline is possible. */
  readonly allowsPerfectBaseline: boolean;
}
