import type { Language } from "../../base/language.ts";
import type { LocalClock } from "../../report/html/page/localClock.ts";

/** Local times to the second; milliseconds of an action have no meaning for a reader. */
export const drillClock = (clock: LocalClock, language: Language): LocalClock => ({
  ...clock,
  formatPeriod: (startMs, endMs) => {
    const period = clock.formatPeriod(startMs, endMs);
    return language === "ja" ? period.replace(" to ", "～") : period;
  },
  formatExact: (atMs) => clock.formatExact(1000 * Math.floor(atMs / 1000)),
  localise: (text) => clock.localise(text.replace(/(T\d\d:\d\d:\d\d)\.\d+Z/g, "$1Z")),
});
