import { type AnyStateMachine, type SnapshotFrom, transition } from "xstate";
import { assert } from "../../base/assert.ts";

/** A machine as a table: states, event types, and the next state for each accepted event. */
export interface MachineTable {
  readonly initialState: string;
  readonly states: readonly string[];
  readonly events: readonly string[];
  readonly finalStates: ReadonlySet<string>;
  readonly transitions: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * Tabulates the transitions of a machine. The table is cached per process: machines are immutable, and a study creates
 * thousands of worlds.
 *
 * Throws for features that a table cannot represent or a simulation must not use: delays, invoked actors, context, guards, actions,
 * transitions without an event, nested or parallel states, wildcard events.
 */
export function compileMachine(machine: AnyStateMachine): MachineTable {
  let table = compiledTables.get(machine);
  if (table === undefined) compiledTables.set(machine, (table = tabulateMachine(machine)));
  return table;
}

const compiledTables = new WeakMap<AnyStateMachine, MachineTable>();

function tabulateMachine(machine: AnyStateMachine): MachineTable {
  assertFlat(machine);
  const nodes = Object.values(machine.root.states);
  const events = eventTypesOf(machine);
  const finalStates = new Set(nodes.filter((node) => node.type === "final").map((node) => node.key));
  const next = new Map<string, ReadonlyMap<string, string>>();
  for (const { key } of nodes) {
    const nextStates = new Map<string, string>();
    const snapshot = snapshotAt(machine, key);
    for (const event of events) {
      if (!finalStates.has(key) && snapshot.can({ type: event }))
        nextStates.set(event, nextStateOf(machine, snapshot, event));
    }
    next.set(key, nextStates);
  }
  return {
    initialState: initialStateOf(machine),
    states: nodes.map((node) => node.key),
    events,
    finalStates,
    transitions: next,
  };
}

/** The machine's snapshot in one of its states. */
export function snapshotAt<M extends AnyStateMachine>(machine: M, state: string): SnapshotFrom<M> {
  // XState types this by the machine's context; `assertFlat` has checked that there is none.
  return machine.resolveState({ value: state, context: {} }) as SnapshotFrom<M>;
}

/** The next state according to XState's pure `transition()`. */
export function nextStateOf<M extends AnyStateMachine>(machine: M, snapshot: SnapshotFrom<M>, event: string): string {
  const [after] = transition<AnyStateMachine>(machine, snapshot, { type: event });
  assert(typeof after.value === "string", () => `machine ${machine.id} must be flat; found state ${after.value}`);
  return after.value;
}

/** Throws if a machine has anything but states and event types. */
function assertFlat(machine: AnyStateMachine): void {
  const { id, root } = machine;
  assert(
    machine.config.context === undefined,
    () => `machine ${id} must have no context: the caller stores the numbers`,
  );
  assert(root.type === "compound", () => `machine ${id} must have states, one at a time; found type ${root.type}`);
  assertWithoutEffects(id, root);
  for (const node of Object.values(root.states)) {
    const where = `${id}.${node.key}`;
    assert(
      node.type === "atomic" || node.type === "final",
      () => `state ${where} must be flat; found type ${node.type}`,
    );
    assertWithoutEffects(where, node);
  }
}

function assertWithoutEffects(where: string, node: AnyStateMachine["root"]): void {
  const absent = (what: string, count: number) =>
    assert(
      count === 0,
      () => `${where} must have no ${what}: a machine is states and event types only; found ${count}`,
    );
  absent("after", node.after.length);
  absent("invoke", node.invoke.length);
  absent("always", node.always?.length ?? 0);
  absent("entry or exit actions", node.entry.length + node.exit.length);
  for (const [event, transitions] of node.transitions) {
    const isPlainName = !event.includes("*") && !event.startsWith("xstate.");
    assert(isPlainName, () => `${where} must name the events it takes; found "${event}"`);
    absent(`guards on "${event}"`, transitions.filter((each) => each.guard !== undefined).length);
    absent(
      `actions on "${event}"`,
      transitions.reduce((sum, each) => sum + each.actions.length, 0),
    );
  }
}

function eventTypesOf({ root }: AnyStateMachine): string[] {
  const nodes = [...Object.values(root.states), root];
  return [...new Set(nodes.flatMap((node) => [...node.transitions.keys()]))];
}

function initialStateOf({ id, root }: AnyStateMachine): string {
  const target = root.initial.target[0];
  assert(target !== undefined, () => `machine ${id} must name its initial state`);
  return target.key;
}
