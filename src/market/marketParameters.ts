/** One value of a parameter set. */
export interface MarketParameter {
  readonly value: unknown;
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

/** Values of a set, replaced by the user's where given. */
export const valuesOf = (
  { values }: ParameterSet,
  override: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value])),
  ...override,
});

/** Names of the values that are not from a primary source and that the user did not set. */
export const unsureNames = ({ values }: ParameterSet, override: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(values)
    .filter(([name, { sure }]) => !sure && !(name in override))
    .map(([name]) => name);
