import type { AlarmRecord, AwardBalance } from "../../../api/client/sandboxTypes.ts";
import type { AlarmPriority } from "../../parts/AlarmBadge.tsx";
import { awardAlarm, useAlarms } from "../alarms/useAlarms.ts";

interface MissingBadge {
  readonly priority: AlarmPriority;
  /** The figure that it is shown beside. */
  readonly of: "uncovered" | "not_delivered";
}

/** The badge of an award from which power is missing: that of its alarm about the power; `null`: nothing is missing, or no alarm is about it. */
export function useMissingBadge(award: AwardBalance): MissingBadge | null {
  const { alarms, ...list } = useAlarms();
  const ofPower = alarms.filter(({ kw }) => kw !== null);
  const alarm = awardAlarm({ ...list, alarms: ofPower }, award.award_id);
  if (alarm === null || award.uncovered_kw + award.not_delivered_kw === 0) return null;
  return { priority: alarm.priority, of: missingFigure(award, alarm) };
}

/** The figure that has the power of the alarm's cause; without one, the larger of the two. */
export function missingFigure(
  { uncovered_kw, not_delivered_kw, causes }: AwardBalance,
  { cause }: Pick<AlarmRecord, "cause">,
): MissingBadge["of"] {
  const [largest] = causes.filter((row) => row.cause === cause).sort((a, b) => b.kw - a.kw);
  if (largest === undefined) return not_delivered_kw <= uncovered_kw ? "uncovered" : "not_delivered";
  return largest.stage === "allocation" ? "uncovered" : "not_delivered";
}
