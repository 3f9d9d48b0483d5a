import { describe, expect, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { getSimplePaths } from "xstate/graph";
import { createStepper, type StepEngine } from "../../src/engine/kernel/stepper.ts";
import { createMachines } from "../../src/engine/simulation/machines.ts";
import { siteStatusMachine } from "../../src/engine/site/siteStatusMachine.ts";
import { immediateMachine } from "../../src/engine/vpp/instructions/immediateMachine.ts";
import { scheduleMachine } from "../../src/engine/vpp/instructions/scheduleMachine.ts";
import { memberMachine } from "../../src/engine/vpp/memberMachine.ts";
import { randomWorld } from "../reference/stepper/randomWorld.ts";
import { runSmallWorld } from "./smallWorld.ts";

const ENGINES: readonly StepEngine[] = ["xstate", "table"];

/** Every move there is; whatever is not listed is refused. */
const MACHINES: readonly { machine: AnyStateMachine; moves: readonly string[]; finals: readonly string[] }[] = [
  {
    machine: scheduleMachine,
    moves: [
      "pending start running",
      "pending overwrite overwritten",
      "pending remove deleted",
      "running finish completed",
      "running overwrite overwritten",
    ],
    finals: ["completed", "overwritten", "deleted"],
  },
  {
    machine: immediateMachine,
    moves: ["running finish completed", "running give_way overwritten"],
    finals: ["completed", "overwritten"],
  },
  { machine: memberMachine, moves: ["present notice_out away", "away notice_back present"], finals: [] },
  {
    machine: siteStatusMachine,
    moves: ["in_service go_out out_of_service", "out_of_service come_back in_service"],
    finals: [],
  },
];

describe.each(MACHINES)("machine $machine.id", ({ machine, moves, finals }) => {
  const events = [...new Set(moves.map((move) => move.split(" ")[1]))];

  test.each(ENGINES)("makes these moves and no others, by %s", (engine) => {
    const stepper = createStepper(machine, engine);
    const found = stepper.states.flatMap((state) =>
      events
        .filter((event) => stepper.canTake(state, event))
        .map((event) => `${state} ${event} ${stepper.nextState(state, event)}`),
    );
    expect(found.sort()).toEqual([...moves].sort());
    expect(stepper.states.filter((state) => stepper.isFinal(state)).sort()).toEqual([...finals].sort());
  });

  test("every path that XState finds is walked alike by both engines", () => {
    const paths = getSimplePaths(machine);
    expect(paths.length).toBeGreaterThanOrEqual(2);
    for (const engine of ENGINES) {
      const stepper = createStepper(machine, engine);
      for (const { steps, state } of paths) {
        const walked = steps
          .map(({ event }) => (event as { type: string }).type)
          .filter((type) => type !== "xstate.init")
          .reduce((at, event) => stepper.nextState(at, event), stepper.initialState);
        expect(walked).toBe(state.value);
      }
    }
  });
});

test("a world has a stepper for each machine", () => {
  for (const engine of ENGINES) {
    const { schedule, immediate, member, siteStatus } = createMachines(engine);
    expect([schedule.initialState, immediate.initialState, member.initialState, siteStatus.initialState]).toEqual([
      "pending",
      "running",
      "present",
      "in_service",
    ]);
  }
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])("world %i is the same by both engines: record and every table", (seed) => {
  const spec = randomWorld(seed);
  const [byXState, byTable] = ENGINES.map((engine) => runSmallWorld(spec, { stepEngine: engine }));
  expect(byXState).toEqual(byTable);
  expect(byTable.energy.length).toBeGreaterThan(0);
});
