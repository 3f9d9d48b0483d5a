import { setup } from "xstate";

export type ScheduleState = "pending" | "running" | "completed" | "overwritten" | "deleted";
export type ScheduleEvent = "start" | "finish" | "overwrite" | "remove";

/** States of a VPP schedule. A running one cannot be removed, only overwritten. @see VPP API, States and transitions */
export const scheduleMachine = setup({ types: { events: {} as { type: ScheduleEvent } } }).createMachine({
  id: "schedule",
  initial: "pending",
  states: {
    pending: { on: { start: "running", overwrite: "overwritten", remove: "deleted" } },
    running: { on: { finish: "completed", overwrite: "overwritten" } },
    completed: { type: "final" },
    overwritten: { type: "final" },
    deleted: { type: "final" },
  },
});
