import type { CompositeUnit } from "./compositeUnit.ts";
import type { Part } from "./part.ts";

/** What stands behind a connection point: one component, or all of several together. */
export type Unit = Part | CompositeUnit;
