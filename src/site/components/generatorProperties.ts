import { enumOf, literal, positiveRatingKw } from "../../base/schemaBuilders.ts";
import { componentProperties } from "./scenarioFacet.ts";

/** Scenario keys that all generators have. */
export const generatorProperties = {
  ...componentProperties,
  component_type: literal("generator"),
  subsidy: enumOf(["fit", "fip", "none"], { default: "none" }),
  rated_output_kw: positiveRatingKw(),
};
