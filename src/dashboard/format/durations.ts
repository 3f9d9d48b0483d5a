import type { Texts } from "../app/preferences.tsx";

/** Whole minutes up to three hours, then hours and minutes. */
export function formatMinutes(minutes: number, t: Texts["t"]): string {
  const whole = Math.round(minutes);
  if (whole <= 180) return t("duration.minutes", { minutes: whole });
  return t("duration.hours", { hours: Math.floor(whole / 60), minutes: whole % 60 });
}

/** `90 s`, `11 min` or `3 h 20 min`: how long something lasts. */
export const formatDuration = (seconds: number, t: Texts["t"]): string =>
  seconds < 120 ? t("duration.seconds", { seconds: Math.round(seconds) }) : formatMinutes(seconds / 60, t);
