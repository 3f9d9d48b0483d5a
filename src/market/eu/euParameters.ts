import {
  enumOf,
  nonNegativeNumber,
  percentage,
  positiveNumber,
  type Static,
  strictObject,
} from "../../base/schemaBuilders.ts";

/** Parameters of a plain European settlement (docs/model/settlement.md#europe). Prices are EUR per MWh. */
export const euParametersSchema = strictObject({
  band_pct: nonNegativeNumber(),
  sample_seconds: positiveNumber(),
  grace_seconds: nonNegativeNumber(),
  non_availability_factor: nonNegativeNumber({ description: "Of the capacity price, per MW that was not available" }),
  exchange_fee_mwh: nonNegativeNumber(),
  activated_energy: enumOf(["delivered", "requested"]),
  price_gap: enumOf(["error", "zero"]),
  tax_pct: percentage(),
  rounding: enumOf(["floor", "half_up"]),
});

export type EuParameters = Static<typeof euParametersSchema>;
