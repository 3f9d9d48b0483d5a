import type { SandboxActionRecord } from "../../../client/sandboxTypes.ts";
import { useResource, useStation } from "../../data/hooks.ts";
import type { Resource } from "../../data/resourceStore.ts";

/** What the trainee did, as it happens. */
export function useActions(): Resource<readonly SandboxActionRecord[]> {
  const { actions } = useStation();
  return useResource("actions", () => actions.load());
}
