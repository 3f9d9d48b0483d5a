import { BATTERY } from "./battery/batteryKind.ts";
import type { ComponentKind } from "./componentKind.ts";
import { CONSUMER } from "./consumer/consumerKind.ts";
import { DISPATCHABLE } from "./dispatchable/dispatchableKind.ts";
import { GENERATOR } from "./generator/generatorKind.ts";

/**
 * Every kind of component by its name, in the order of the scenario schema. A new kind is one folder here and one line of
 * this table.
 */
export const COMPONENT_KINDS = {
  battery: BATTERY,
  consumer: CONSUMER,
  generator: GENERATOR,
  dispatchable: DISPATCHABLE,
};

type Kinds = typeof COMPONENT_KINDS;

export type KindName = keyof Kinds;

/** A component as the scenario describes it. */
export type ComponentSpec = { [Name in KindName]: Parameters<Kinds[Name]["create"]>[0] }[KindName];

/** A component while the world runs. */
export type Component = ReturnType<Kinds[KindName]["create"]>;

/** A component's keys in a scenario. */
export type ComponentConfig = { [Name in KindName]: Parameters<Kinds[Name]["scenario"]["build"]>[1] }[KindName];

/** The kind of a component, of its specification or of anything else that names it. */
export const kindOf = ({ kind }: { readonly kind: KindName }): ComponentKind<ComponentSpec, Component> =>
  COMPONENT_KINDS[kind];

const KINDS: readonly ComponentKind<ComponentSpec, Component>[] = Object.values(COMPONENT_KINDS);

/** The kind that a component's keys describe; `undefined` where the scenario is wrong. */
export const kindOfKeys = (keys: ComponentConfig): ComponentKind<ComponentSpec, Component> | undefined =>
  KINDS.find(({ scenario }) => scenario.matches(keys));
