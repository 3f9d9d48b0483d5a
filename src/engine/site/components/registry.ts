import { BATTERY } from "./battery/batteryKind.ts";
import type { ComponentKind } from "./componentKind.ts";
import { CONSUMER } from "./consumer/consumerKind.ts";
import { DISPATCHABLE } from "./dispatchable/dispatchableKind.ts";
import { EV_CHARGERS } from "./evChargers/evChargersKind.ts";
import { GENERATOR } from "./generator/generatorKind.ts";

/** All component kinds by name, in the order of the scenario schema. A new kind is one folder and one line of this table. */
export const COMPONENT_KINDS = {
  battery: BATTERY,
  consumer: CONSUMER,
  generator: GENERATOR,
  dispatchable: DISPATCHABLE,
  ev_chargers: EV_CHARGERS,
};

type Kinds = typeof COMPONENT_KINDS;

export type KindName = keyof Kinds;

/** Specification of a component of any kind. */
export type ComponentSpec = { [Name in KindName]: Parameters<Kinds[Name]["create"]>[0] }[KindName];

/** Component of any kind in a running simulation. */
export type Component = ReturnType<Kinds[KindName]["create"]>;

/** Scenario keys of a component of any kind. */
export type ComponentConfig = { [Name in KindName]: Parameters<Kinds[Name]["scenario"]["build"]>[1] }[KindName];

/** The kind of a component, of its specification or of any other object with the name of the kind. */
export const kindOf = ({ kind }: { readonly kind: KindName }): ComponentKind<ComponentSpec, Component> =>
  COMPONENT_KINDS[kind];

const KINDS: readonly ComponentKind<ComponentSpec, Component>[] = Object.values(COMPONENT_KINDS);

/** The kind that the scenario keys describe; `undefined` where they match none. */
export const kindOfKeys = (keys: ComponentConfig): ComponentKind<ComponentSpec, Component> | undefined =>
  KINDS.find(({ scenario }) => scenario.matches(keys));
