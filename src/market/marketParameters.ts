import { ownValue } from "../base/ownValue.ts";
/** One value of a parameter set. */
export interface MarketParameter {
  readonly value: unknown;
  /** In place of `value` where a settlement names a price area. */
  readonly by_area?: Readonly<Record<string, unknown>>;
  /** Whether it was read in a primary source. */
  readonly sure: boolean;
  readonly source: string;
}

/** A parameter set with its marks, as a file in data/markets has it. */
export interface ParameterSet {
  readonly market: string;
  readonly title: string;
  readonly values: Readonly<Record<string, MarketParameter>>;
}

/** A settlement that names no price area. */
export const NO_AREA = "none";

/** Values of a set in a price area, replaced by the user's where given. */
export const valuesOf = (
  { values }: ParameterSet,
  override: Readonly<Record<string, unknown>>,
  area = NO_AREA,
): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(
    Object.entries(values).map(([name, { value, by_area }]) => [name, ownValue(by_area, area) ?? value]),
  ),
  ...override,
});

/** Names of the values that the set has only for other areas, and that the user did not set. */
export const namesWithoutArea = (
  { values }: ParameterSet,
  override: Readonly<Record<string, unknown>>,
  area: string,
): readonly string[] =>
  area === NO_AREA
    ? []
    : Object.entries(values)
        .filter(([name, { by_area }]) => by_area !== undefined && !Object.hasOwn(by_area, area) && !(name in override))
        .map(([name]) => name);

/** Names of the values that are not from a primary source and that the user did not set. */
export const unsureNames = ({ values }: ParameterSet, override: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(values)
    .filter(([name, { sure }]) => !sure && !(name in override))
    .map(([name]) => name);
