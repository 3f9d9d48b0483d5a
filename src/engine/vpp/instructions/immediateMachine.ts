import { setup } from "xstate";

export type ImmediateState = "running" | "completed" | "overwritten";
export type ImmediateEvent = "finish" | "give_way";

/** States of an immediate instruction. It runs at once, until its end or until another instruction replaces it. */
export const immediateMachine = setup({ types: { events: {} as { type: ImmediateEvent } } }).createMachine({
  id: "immediate",
  initial: "running",
  states: {
    running: { on: { finish: "completed", give_way: "overwritten" } },
    completed: { type: "final" },
    overwritten: { type: "final" },
  },
});
