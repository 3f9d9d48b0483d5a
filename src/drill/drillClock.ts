import type { LocalClock } from "../report/html/page/localClock.ts";

/** Local times to the second: a person reads no milliseconds of an action. */
export const drillClock = (clock: LocalClock): LocalClock => ({
  ...clock,
  formatExact: (atMs) => clock.formatExact(1000 * Math.floor(atMs / 1000)),
  localise: (text) => clock.localise(text.replace(/(T\d\d:\d\d:\d\d)\.\d+Z/g, "$1Z")),
});
