import type { Language } from "../../texts/catalogue.ts";

const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", ja: "ja-JP" };

const CLOCK = { hourCycle: "h23", hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
const TIME = { hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const;
const DAY = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;

/** Instants as text in one zone and language. Instants are epoch milliseconds. */
export class TimeFormats {
  readonly zone: string;
  private readonly clockFormat: Intl.DateTimeFormat;
  private readonly timeFormat: Intl.DateTimeFormat;
  private readonly dayFormat: Intl.DateTimeFormat;
  private readonly shortDayFormat: Intl.DateTimeFormat;
  private readonly isoDay: Intl.DateTimeFormat;
  private readonly offset: Intl.DateTimeFormat;
  private readonly names: readonly Intl.DateTimeFormat[];

  constructor(zone: string, language: Language) {
    const formatOf = (locale: string, options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { timeZone: zone, ...options });
    this.zone = zone;
    this.clockFormat = formatOf("en-GB", CLOCK);
    this.timeFormat = formatOf("en-GB", TIME);
    this.dayFormat = formatOf(LOCALES[language], DAY);
    this.shortDayFormat = formatOf(LOCALES[language], { day: "numeric", month: "short" });
    this.isoDay = formatOf("sv-SE", { year: "numeric", month: "2-digit", day: "2-digit" });
    this.offset = formatOf("en-GB", { timeZoneName: "longOffset" });
    this.names = ["en-US", "en-GB", "ja-JP"].map((locale) => formatOf(locale, { timeZoneName: "short" }));
  }

  /** `07:52:10` */
  clock(atMs: number): string {
    return this.clockFormat.format(atMs);
  }

  /** `07:52` */
  time(atMs: number): string {
    return this.timeFormat.format(atMs);
  }

  /** `Wed 20 May 2026` */
  day(atMs: number): string {
    return inThreeLetters(this.dayFormat.format(atMs)).replaceAll(",", "");
  }

  /** `20 May` */
  shortDay(atMs: number): string {
    return inThreeLetters(this.shortDayFormat.format(atMs));
  }

  /** `07:52`, or `19 May 07:52` where that is another day than the present instant's. */
  instant(atMs: number, nowMs: number): string {
    const isSameDay = this.isoDay.format(atMs) === this.isoDay.format(nowMs);
    return isSameDay ? this.time(atMs) : `${this.shortDay(atMs)} ${this.time(atMs)}`;
  }

  /** The same, with seconds unless they are zero. */
  exactInstant(atMs: number, nowMs: number): string {
    const seconds = this.clock(atMs).slice(5);
    return `${this.instant(atMs, nowMs)}${seconds === ":00" ? "" : seconds}`;
  }

  /** `2026-05-20T07:52:10` */
  local(atMs: number): string {
    return `${this.isoDay.format(atMs)}T${this.clock(atMs)}`;
  }

  /** ISO 8601 with the zone's offset, for exports and tool tips. */
  iso(atMs: number): string {
    const offset = namePart(this.offset, atMs).replace("GMT", "") || "+00:00";
    return `${this.local(atMs)}${offset}`;
  }

  /** Name of the zone, such as `JST`; its offset, such as `GMT+8`, where it has none. */
  zoneName(atMs: number): string {
    const names = this.names.map((format) => namePart(format, atMs));
    return names.find((name) => !/^(GMT|UTC)[+-−]/.test(name)) ?? names[0];
  }
}

/** The month of British English that has four letters, as drawings and tables write it. */
const inThreeLetters = (day: string): string => day.replace("Sept", "Sep");

const FORMATS = new Map<string, TimeFormats>();

/** Formats of a zone and language, made once: the browser's formatters take longer to make than to use. */
export function timeFormats(zone: string, language: Language): TimeFormats {
  const key = `${language} ${zone}`;
  const formats = FORMATS.get(key) ?? new TimeFormats(zone, language);
  FORMATS.set(key, formats);
  return formats;
}

const namePart = (format: Intl.DateTimeFormat, atMs: number): string =>
  format.formatToParts(atMs).find(({ type }) => type === "timeZoneName")?.value ?? "";

/** Epoch ms of an instant of the APIs. */
export const msOf = (iso: string): number => Date.parse(iso);

/** Whole seconds in UTC, as the APIs want instants. */
export const isoOf = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 19)}Z`;
