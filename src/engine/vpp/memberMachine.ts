import { setup } from "xstate";

export type MemberState = "present" | "away";
export type MemberEvent = "notice_out" | "notice_back";

/**
 * Status of a member in a running instruction, as of the last dispatch or evaluation. An outage between two evaluations
 * sends no event (docs/model/allocation.md#evaluation).
 */
export const memberMachine = setup({ types: { events: {} as { type: MemberEvent } } }).createMachine({
  id: "member",
  initial: "present",
  states: {
    present: { on: { notice_out: "away" } },
    away: { on: { notice_back: "present" } },
  },
});
