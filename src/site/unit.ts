import type { Part } from "./components/part.ts";
import type { CompositeUnit } from "./composite/compositeUnit.ts";

/** What stands behind a connection point: one component, or all of several together. */
export type Unit = Part | CompositeUnit;
