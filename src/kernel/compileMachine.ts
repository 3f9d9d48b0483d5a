import { type AnyStateMachine, type SnapshotFrom, transition } from "xstate";
import { assert } from "../base/assert.ts";

/** A machine written out: every state, every event type, and where each event leads from each state that takes it. */
export interface MachineTable {
  readonly initialState: string;
  readonly states: readonly string[];
  readonly events: readonly string[];
  readonly finalStates: ReadonlySet<string>;
  readonly transitions: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/**
 * Asks the machine about every state and event and keeps the answers: once in a process, since machines do not change
 * and a study makes thousands of worlds.
 *
 * Refuses what a table cannot hold or a simulation must not have: delays, invoked actors, context, guards, actions,
 * transitions without an event, nested or parallel states, wildcard events.
 */
export function compileMachine(machine: AnyStateMachine): MachineTable {
  let table = compiled.get(machine);
  if (table === undefined) compiled.set(machine, (table = tabulateMachine(machine)));
  return table;
}

const compiled = new WeakMap<AnyStateMachine, MachineTable>();

function tabulateMachine(machine: AnyStateMachine): MachineTable {
  assertFlat(machine);
  const nodes = Object.values(machine.root.states);
  const events = eventTypesOf(machine);
  const finals = new Set(nodes.filter((node) => node.type === "final").map((node) => node.key));
  const next = new Map<string, ReadonlyMap<string, string>>();
  for (const { key } of nodes) {
    const answers = new Map<string, string>();
    const snapshot = snapshotAt(machine, key);
    for (const event of events) {
      if (!finals.has(key) && snapshot.can({ type: event })) answers.set(event, nextStateOf(machine, snapshot, event));
    }
    next.set(key, answers);
  }
  return {
    initialState: initialStateOf(machine),
    states: nodes.map((node) => node.key),
    events,
    finalStates: finals,
    transitions: next,
  };
}

/** The machine's snapshot while it is in one of its states. */
export function snapshotAt<M extends AnyStateMachine>(machine: M, state: string): SnapshotFrom<M> {
  // XState types this by the machine's context, which assertFlat has shown to be absent.
  return machine.resolveState({ value: state, context: {} }) as SnapshotFrom<M>;
}

/** The state that XState's own pure `transition()` leads to. */
export function nextStateOf<M extends AnyStateMachine>(machine: M, snapshot: SnapshotFrom<M>, event: string): string {
  const [after] = transition<AnyStateMachine>(machine, snapshot, { type: event });
  assert(typeof after.value === "string", () => `machine ${machine.id} must be flat; found state ${after.value}`);
  return after.value;
}

/** Stops at the first thing in a machine that needs more than states and event types. */
export function assertFlat(machine: AnyStateMachine): void {
  const { id, root } = machine;
  assert(
    machine.config.context === undefined,
    () => `machine ${id} must have no context: the caller keeps the numbers`,
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
    const named = !event.includes("*") && !event.startsWith("xstate.");
    assert(named, () => `${where} must name the events it takes; found "${event}"`);
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
