import { CAUSES, type Cause } from "./causes.ts";

export const CAUSE_INDEX = Object.fromEntries(CAUSES.map((cause, index) => [cause, index])) as Readonly<
  Record<Cause, number>
>;
