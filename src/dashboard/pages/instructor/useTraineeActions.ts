import { useMemo } from "react";
import type { SandboxActionRecord } from "../../../api/client/sandboxTypes.ts";
import { useResource, useStation } from "../../data/hooks.ts";
import { msOf } from "../../format/times.ts";

/** Whether an action may be the trainee's: the instructor's own freezing, advancing and backtracking is not. */
export const isOfTrainee = ({ kind, data }: SandboxActionRecord): boolean =>
  kind !== "restore" && data.by !== "instructor";

/** What the trainee did, and each return to an earlier instant, oldest first, as it happens. */
export function useTraineeActions(): readonly SandboxActionRecord[] {
  const { actions } = useStation();
  const { value } = useResource("actions", () => actions.load());
  return useMemo(() => (value ?? []).filter((action) => isOfTrainee(action) || isReturn(action)), [value]);
}

const isReturn = ({ kind }: SandboxActionRecord): boolean => kind === "restore";

/** Without what was done in a time that a return left, and without the returns. @param actions  oldest first */
export function ofPresentTime(actions: readonly SandboxActionRecord[], nowMs: number): readonly SandboxActionRecord[] {
  let earliestMs = nowMs;
  let limitMs = Number.POSITIVE_INFINITY;
  const kept = [...actions].reverse().filter((action) => {
    if (isReturn(action)) {
      limitMs = earliestMs;
      return false;
    }
    const atMs = msOf(action.at);
    if (limitMs <= atMs) return false;
    earliestMs = Math.min(earliestMs, atMs);
    return true;
  });
  return kept.reverse();
}
