import type { AwardBalance } from "../../../api/client/sandboxTypes.ts";
import type { AlarmPriority } from "../../parts/AlarmBadge.tsx";
import { awardPriority, useAlarms } from "../alarms/useAlarms.ts";

interface MissingBadge {
  readonly priority: AlarmPriority;
  /** The figure that it is shown beside: the larger of the two. */
  readonly of: "uncovered" | "not_delivered";
}

/** The badge of an award from which power is missing: that of its alarm; `null`: nothing is missing, or no alarm was raised. */
export function useMissingBadge({ award_id, uncovered_kw, not_delivered_kw }: AwardBalance): MissingBadge | null {
  const priority = awardPriority(useAlarms(), award_id);
  if (priority === null || uncovered_kw + not_delivered_kw === 0) return null;
  return { priority, of: not_delivered_kw <= uncovered_kw ? "uncovered" : "not_delivered" };
}
