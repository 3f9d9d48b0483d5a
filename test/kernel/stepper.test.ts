import { describe, expect, test } from "vitest";
import { type AnyStateMachine, setup } from "xstate";
import { getShortestPaths } from "xstate/graph";
import { BugError } from "../../src/base/assert.ts";
import { compileMachine } from "../../src/engine/kernel/compileMachine.ts";
import { createStepper, type StepEngine, type Stepper } from "../../src/engine/kernel/stepper.ts";

type LampEvent = "start" | "finish" | "remove" | "again" | "nudge";

const lampMachine = setup({ types: { events: {} as { type: LampEvent } } }).createMachine({
  id: "lamp",
  initial: "pending",
  on: { remove: ".removed" },
  states: {
    pending: { on: { start: "running" } },
    running: { on: { finish: "completed", again: "running", nudge: undefined } },
    stuck: { on: { remove: undefined, start: "running" } },
    completed: { type: "final" },
    removed: { type: "final" },
  },
});

type LampState = "pending" | "running" | "stuck" | "completed" | "removed";

const ENGINES: readonly StepEngine[] = ["xstate", "table"];

describe.each(ENGINES)("a stepper by %s", (engine) => {
  // The annotation checks that createStepper infers both unions from the machine.
  const stepper: Stepper<LampState, LampEvent> = createStepper(lampMachine, engine);

  test("names the machine's states", () => {
    expect(stepper.initialState).toBe("pending");
    expect(stepper.states).toEqual(["pending", "running", "stuck", "completed", "removed"]);
    expect(stepper.states.filter((state) => stepper.isFinal(state))).toEqual(["completed", "removed"]);
  });

  // Worked out from the machine above; "-" where the state does not take the event.
  test.each<[LampState, Record<LampEvent, string>]>([
    ["pending", { start: "running", finish: "-", remove: "removed", again: "-", nudge: "-" }],
    ["running", { start: "-", finish: "completed", remove: "removed", again: "running", nudge: "-" }],
    ["stuck", { start: "running", finish: "-", remove: "-", again: "-", nudge: "-" }],
    ["completed", { start: "-", finish: "-", remove: "-", again: "-", nudge: "-" }],
    ["removed", { start: "-", finish: "-", remove: "-", again: "-", nudge: "-" }],
  ])("answers for %s and every event", (state, expected) => {
    for (const [event, next] of Object.entries(expected) as [LampEvent, string][]) {
      expect(stepper.canTake(state, event)).toBe(next !== "-");
      if (next === "-") expect(() => stepper.nextState(state, event)).toThrow(BugError);
      else expect(stepper.nextState(state, event)).toBe(next);
    }
  });

  test("names the accepted events when a state gets another one", () => {
    expect(() => stepper.nextState("pending", "finish")).toThrow(
      'machine lamp in state "pending" takes start, remove; found "finish"',
    );
    expect(() => stepper.nextState("removed", "start")).toThrow("takes nothing");
  });

  test("follows every shortest path that XState finds", () => {
    const paths = getShortestPaths(lampMachine);
    expect(paths.map(({ state }) => state.value).sort()).toEqual(["completed", "pending", "removed", "running"]);
    for (const { state, steps } of paths) {
      const walked = steps
        .filter(({ event }) => !event.type.startsWith("xstate."))
        .reduce<LampState>((from, { event }) => stepper.nextState(from, event.type), stepper.initialState);
      expect(walked).toBe(state.value);
    }
  });
});

test("both engines agree for all states and events", () => {
  const [byXState, tabled] = ENGINES.map((engine) => createStepper(lampMachine, engine));
  const { states, events } = compileMachine(lampMachine);
  expect(states.length * events.length).toBe(25);
  for (const state of states as LampState[]) {
    for (const event of events as LampEvent[]) {
      expect(byXState.canTake(state, event)).toBe(tabled.canTake(state, event));
      if (tabled.canTake(state, event)) expect(byXState.nextState(state, event)).toBe(tabled.nextState(state, event));
    }
  }
});

test("an event or state that the machine does not have is not taken", () => {
  for (const engine of ENGINES) {
    const untyped: Stepper<string, string> = createStepper(lampMachine as AnyStateMachine, engine);
    expect([untyped.canTake("pending", "fly"), untyped.canTake("gone", "start")]).toEqual([false, false]);
  }
});
