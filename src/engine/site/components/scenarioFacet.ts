import type { TSchema } from "typebox";
import { boolean, enumOf, literal, plainText, positiveRatingKw } from "../../../base/schemaBuilders.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { PvSystem } from "../../device/pv/pvModelChain.ts";
import type { GeoLocation } from "../../device/pv/solarPosition.ts";
import type { Series } from "../../series/model/series.ts";
import type { SeriesRequirement, StampLabel } from "../../series/model/seriesOptions.ts";

/** Scenario keys that all component kinds have. */
export const componentProperties = {
  component_id: plainText(1, 64, { description: "Unique within the site" }),
  fcr_capable: boolean({ default: false, description: "Whether it can answer grid frequency" }),
};

/** A component as a scenario describes it. Keys that failed the schema check are `undefined`. */
export interface ComponentKeys {
  readonly component_id: string;
  readonly component_type: string;
  readonly fcr_capable: boolean;
}

/** Context in which a kind builds a component from its keys. */
export interface ComponentBuildPort {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  readonly checker: {
    reportError(owner: object, key: string, found: string, allowed: string): void;
  };
  readonly series: ComponentSeriesPort;
  /** The rows of the CSV file that an entry names, as far as they fit a schema; what is wrong is reported. */
  readTable<Row extends object>(entry: { readonly file: string }, rowSchema: TSchema): Row[];
  /** Calendar days from the day before the scenario's start to the end of the run. */
  localDays(holidays: "JP" | "none"): { readonly midnightMs: EpochMs; readonly isWorkday: boolean }[];
}

/** The named series of the scenario. Errors of a series are reported at the key that refers to it. */
interface ComponentSeriesPort {
  /** Resolves the reference `series.role` in `owner[key]`. */
  resolve(owner: object, key: string, use: SeriesRequirement): Series;
  /** Resolves a reference where the key gives the series name and the caller gives the role. */
  resolveRole(owner: object, key: string, reference: { name: string; role: string }, use: SeriesRequirement): Series;
  hasRole(name: string, role: string): boolean;
  stampLabelOf(name: string, role: string): StampLabel;
  /** Derives a series from another one. The result is cached and shared by all callers with the same derivation key. */
  deriveOnce(series: Series, how: string, make: () => Series): Series;
}

/** Scenario keys of a load. */
export interface LoadKeys {
  readonly isReducible: boolean;
  /** The key of the load series, from which baselines of past days are computed; `null` where the load is not a series. */
  readonly history: LoadHistoryKeys | null;
}

interface LoadHistoryKeys {
  readonly owner: object | undefined;
  readonly key: string;
  /** Upper limit of the load. */
  readonly maximumKw: number | undefined;
}

/** Scenario keys of a storage. */
export interface StorageKeys {
  /** Key of the capacity. */
  readonly key: string;
  readonly capacityKwh: number;
  /** The larger of rated import and rated export. */
  readonly ratedKw: number;
  /** Rated power of charging, and its key. */
  readonly importKw: number;
  readonly importKey: string;
  /** What is stored at the start, with its key, and the window of operation. */
  readonly start: { readonly owner: object; readonly key: string; readonly pct: number };
  readonly minPct: number;
  readonly maxPct: number;
}

/** Rated power as the scenario gives it. */
interface RatingKeys {
  /** Key of the rating. */
  readonly key: string;
  readonly ratedKw: number;
  /** Components of this kind are larger, so that a smaller rating is taken for MW. */
  readonly usualMinKw: number;
}

/** The least rating of what a household may have: a fuel cell has 0.7 kW, a PV module for a balcony 0.8 kW. */
export const HOUSEHOLD_MIN_KW = 0.5;

/** Scenario keys of a PV plant that a baseline by capacity factor uses. */
export interface PvPlantKeys {
  readonly ratedOutputKw: number;
  /** `null` where the scenario does not give it. */
  readonly location: GeoLocation | null;
  /** Direction of the modules, where the output follows from it. */
  readonly plane: { readonly owner: object; readonly tiltDeg: number; readonly azimuthDeg: number } | null;
  /** The chain from irradiance to power; what the keys do not say has its default. */
  readonly system: PvSystem;
  /** Name of the weather series; `null`: the output does not follow from one. */
  readonly weather: string | null;
  /** Whether `loss_factor` may be set: not beside `losses`, nor where the output is a series. */
  readonly takesLossFactor: boolean;
}

/** Scenario facet of a kind: the schemas of its keys, and how a specification is built from them. */
export interface ComponentScenarioFacet<Keys extends ComponentKeys = ComponentKeys, Spec = unknown> {
  /** One schema for each variant of the keys. The discriminating keys are constants or enumerations. */
  readonly schemas: readonly TSchema[];
  /** Whether keys describe a component of this kind. */
  matches(keys: ComponentKeys): boolean;
  /** @returns `null` where the scenario has errors; those are reported through the checker */
  build(port: ComponentBuildPort, keys: Keys, simulatesOutages: boolean): Spec | null;
  /** Resource type of a site with this component alone. */
  resourceType(keys: Keys): "battery" | "generator" | "consumer";
  /** Series, as `series.role`, that the keys use without a full reference. Full references are found through the schema. */
  impliedSeries(keys: Keys): readonly string[];
  /** `null`: not a load. */
  loadKeys(keys: Keys): LoadKeys | null;
  ratingKeys(keys: Keys): RatingKeys;
  /** `null`: not a PV plant. */
  pvPlantKeys(keys: Keys, simulatesOutages?: boolean): PvPlantKeys | null;
  /** Absent or `null`: not a storage, or one without a rated power of its own. */
  storageKeys?(keys: Keys): StorageKeys | null;
  /** Whether a `perfect` baseline is possible: the power without instructions must follow from the specification. */
  readonly allowsPerfectBaseline: boolean;
  /** Where a site with this component names no baseline; absent: zero. */
  readonly defaultBaseline?: "perfect";
  /** It cannot be one of several components of a site. */
  readonly standsAlone?: true;
}

/** Scenario keys that all generators have. */
export const generatorProperties = {
  ...componentProperties,
  component_type: literal("generator"),
  subsidy: enumOf(["fit", "fip", "none"], { default: "none" }),
  rated_output_kw: positiveRatingKw(),
};
