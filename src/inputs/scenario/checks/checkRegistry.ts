/**
 * `warning`: the figures may not mean what the author intended. `note`: a value was read in another way than it was
 * written.
 */
export type RemarkSeverity = "warning" | "note";

/** All checks of a valid scenario by name (docs/model/scenario-format.md#checks; a test compares the table). */
export const CHECKS = {
  "award-outside-run": "warning",
  "award-replaced": "warning",
  "award-power": "warning",
  "award-direction": "warning",
  "award-sign": "warning",
  "award-activation": "warning",
  "duplicate-row": "warning",
  "percentage-as-fraction": "warning",
  "rating-unit": "warning",
  "fleet-rating": "note",
  "series-power": "warning",
  "storage-duration": "warning",
  "small-storage": "warning",
  "initial-soc": "warning",
  "never-recharged": "warning",
  "pv-direction": "warning",
  "connection-limit": "warning",
  "load-above-limit": "warning",
  "plan-exports": "warning",
  "plan-above-limit": "warning",
  "load-cut": "warning",
  "site-without-vpp": "warning",
  "weights-zero": "warning",
  "similar-names": "warning",
  "formula-text": "warning",
  "price-unit": "warning",
  "price-currency": "warning",
  "repair-time": "warning",
  "report-interval": "warning",
  "frequency-reference": "warning",
  "bridged-rows": "warning",
  "no-baseline": "warning",
  "no-pv-location": "warning",
  "left-out": "warning",
  "empty-table": "warning",
  "ignored-column": "note",
  "blank-row": "note",
  "published-file": "note",
  "converted-unit": "note",
} as const satisfies Record<string, RemarkSeverity>;

export type CheckName = keyof typeof CHECKS;
