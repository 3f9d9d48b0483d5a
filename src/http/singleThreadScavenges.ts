import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 collect short-lived objects in this thread alone.
 *
 * By default it shares that work of a millisecond among helper threads and waits for them. On a machine whose processors are all
 * busy a helper may start 100 ms later, and the event loop is held for as long.
 */
export const useSingleThreadScavenges = (): void => setFlagsFromString("--no-parallel-scavenge");
