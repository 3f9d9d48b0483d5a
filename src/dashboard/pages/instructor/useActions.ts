import { useState } from "react";
import type { SandboxActionRecord } from "../../../client/sandboxTypes.ts";
import { useResource, useStation } from "../../data/hooks.ts";
import type { Resource } from "../../data/resourceStore.ts";
import { ActionLog } from "./actionLog.ts";

/** What the trainee did, as it happens. */
export function useActions(): Resource<readonly SandboxActionRecord[]> {
  const { calls } = useStation();
  const [log] = useState(() => new ActionLog((after) => calls.get(`/sandbox/actions?after=${after}`)));
  return useResource("actions", () => log.load());
}
