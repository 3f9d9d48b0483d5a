import { setup } from "xstate";

export type MemberState = "present" | "away";
export type MemberEvent = "notice_out" | "notice_back";

/**
 * A member as a running instruction knows it: what the last dispatch or evaluation saw, not what is so at the instant.
 * An outage between two evaluations sends no event (docs/model/allocation.md#evaluation).
 */
export const memberMachine = setup({ types: { events: {} as { type: MemberEvent } } }).createMachine({
  id: "member",
  initial: "present",
  states: {
    present: { on: { notice_out: "away" } },
    away: { on: { notice_back: "present" } },
  },
});
