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

  /** Reads what is new, and all anew after a return, which abandons known ones. @returns the known actions, oldest first */
  async load(): Promise<readonly SandboxActionRecord[]> {
    const last = this.actions.at(-1)?.seq ?? 0;
    const { actions, last_seq } = await this.fetchAfter(last);
    const fresh = actions.filter(({ seq }) => last < seq);
    // Of another session the numbers are given anew.
    if (last_seq < last || fresh.some(({ kind }) => kind === "restore")) this.actions = await this.loadAll(last_seq);
    else if (fresh.length > 0) this.actions = [...this.actions, ...fresh].slice(-ACTIONS_HELD_MAX);
    return this.actions;
  }

  private async loadAll(lastSeq: number): Promise<readonly SandboxActionRecord[]> {
    const all: SandboxActionRecord[] = [];
    for (let after = Math.max(0, lastSeq - ACTIONS_HELD_MAX); after < lastSeq; ) {
      const { actions } = await this.fetchAfter(after);
      if (actions.length === 0) break;
      all.push(...actions);
      after = actions[actions.length - 1].seq;
    }
    return all;
  }
}
