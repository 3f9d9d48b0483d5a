import { useMemo } from "react";
import type { SandboxActionRecord } from "../../../api/client/sandboxTypes.ts";
import { useResource, useStation } from "../../data/hooks.ts";

/** Whether an action may be the trainee's: the instructor's own freezing, advancing and backtracking is not. */
export const isOfTrainee = ({ kind, data }: SandboxActionRecord): boolean =>
  kind !== "restore" && data.by !== "instructor";

/** What the trainee did, and each return to an earlier instant, oldest first, as it happens. */
export function useTraineeActions(): readonly SandboxActionRecord[] {
  const { actions } = useStation();
  const { value } = useResource("actions", () => actions.load());
  return useMemo(() => (value ?? []).filter((action) => isOfTrainee(action) || isReturn(action)), [value]);
}

/** Whether an action is a return to an earlier instant. */
export const isReturn = ({ kind }: SandboxActionRecord): boolean => kind === "restore";
