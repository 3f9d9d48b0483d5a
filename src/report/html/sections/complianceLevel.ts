/**
 * Class of an element whose colour follows compliance, which is independent of the state: a completed award can be out
 * of band throughout.
 */
type ComplianceLevel = "in-band" | "partly-in-band" | "out-of-band" | "not-assessed";

/** By the printed value: 100.0 %, 0.0 %, or between. */
export function complianceLevel(pct: number | null): ComplianceLevel {
  if (pct === null) return "not-assessed";
  if (99.95 <= pct) return "in-band";
  return pct < 0.05 ? "out-of-band" : "partly-in-band";
}
