import type { Texts } from "../app/preferences.tsx";

/** Whole minutes below an hour, then hours and minutes. */
export function formatMinutes(minutes: number, t: Texts["t"]): string {
  const whole = Math.round(minutes);
  if (whole < 60) return t("duration.minutes", { minutes: whole });
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  return rest === 0 ? t("duration.whole_hours", { hours }) : t("duration.hours", { hours, minutes: rest });
}

/** `90 s`, `1 min`, `11 min` or `3 h 20 min`: how long something lasts, on every page. */
export const formatDuration = (seconds: number, t: Texts["t"]): string =>
  seconds < 60 || (seconds < 120 && seconds % 60 !== 0)
    ? t("duration.seconds", { seconds: Math.round(seconds) })
    : formatMinutes(seconds / 60, t);
