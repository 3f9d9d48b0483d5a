import type { SandboxActionList, SandboxActionRecord } from "../../api/client/sandboxTypes.ts";

/** Actions that the page holds; older ones are dropped, so that its memory does not grow with the session. */
const ACTIONS_HELD_MAX = 2_000;

/** The trainee's latest actions, by their number and without gaps. */
export class ActionLog {
  private readonly fetchAfter: (seq: number) => Promise<SandboxActionList>;
  private actions: readonly SandboxActionRecord[] = [];

  constructor(fetchAfter: (seq: number) => Promise<SandboxActionList>) {
    this.fetchAfter = fetchAfter;
  }

  /** Reads what is new. @returns the known actions, oldest first; the same list where nothing is new */
  async load(): Promise<readonly SandboxActionRecord[]> {
    const last = this.actions.at(-1)?.seq ?? 0;
    const { actions, last_seq } = await this.fetchAfter(last);
    // The session went back in time, and numbers are given anew.
    if (last_seq < last) {
      this.actions = (await this.fetchAfter(0)).actions.slice(-ACTIONS_HELD_MAX);
      return this.actions;
    }
    const fresh = actions.filter(({ seq }) => last < seq);
    if (fresh.length > 0) this.actions = [...this.actions, ...fresh].slice(-ACTIONS_HELD_MAX);
    return this.actions;
  }
}
