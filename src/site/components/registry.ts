import { BATTERY } from "./battery/batteryKind.ts";
import type { ComponentKind } from "./componentKind.ts";
import { CONSUMER } from "./consumer/consumerKind.ts";
import { DISPATCHABLE } from "./dispatchable/dispatchableKind.ts";
import { GENERATOR } from "./generator/generatorKind.ts";

/** Every kind of component by its name. A new kind is one folder here and one line of this table. */
export const COMPONENT_KINDS = {
  battery: BATTERY,
  generator: GENERATOR,
  dispatchable: DISPATCHABLE,
  consumer: CONSUMER,
};

type Kinds = typeof COMPONENT_KINDS;

export type KindName = keyof Kinds;

/** A component as the scenario describes it. */
export type ComponentSpec = { [Name in KindName]: Parameters<Kinds[Name]["create"]>[0] }[KindName];

/** A component while the world runs. */
export type Component = ReturnType<Kinds[KindName]["create"]>;

/** The kind of a component, of its specification or of anything else that names it. */
export const kindOf = ({ kind }: { readonly kind: KindName }): ComponentKind<ComponentSpec, Component> =>
  COMPONENT_KINDS[kind];
