import { utf8Bytes } from "../../../base/bytes.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";

const ZERO = 48;
const COLON = 58;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads an ISO 8601 instant from ASCII bytes: `YYYY-MM-DDThh:mm[:ss[.fraction]]` and `Z`, `±hh`, `±hhmm` or `±hh:mm`.
 *
 * A blank may stand for the T. Hour 24, second 60 and fractions finer than a millisecond (unless zero) are refused.
 *
 * @returns NaN for anything else; `expectedInstantFormat` puts the reason into words
 */
export function parseInstant(bytes: Uint8Array, start: number, end: number): EpochMs {
  if (end - start < 17) return Number.NaN;
  const dayMs = parseDay(bytes, start);
  const separator = bytes[start + 10];
  if ((separator !== 84 && separator !== 32) || bytes[start + 13] !== COLON) return Number.NaN;
  const hour = twoDigits(bytes, start + 11);
  const minute = twoDigits(bytes, start + 14);
  let at = start + 16;
  let second = 0;
  let fractionMs = 0;
  if (bytes[at] === COLON) {
    second = twoDigits(bytes, at + 1);
    at += 3;
    if (bytes[at] === 46) {
      const fractionEnd = skipDigits(bytes, at + 1, end);
      fractionMs = parseFraction(bytes, at + 1, fractionEnd);
      at = fractionEnd;
    }
  }
  // Invalid digits give NaN; comparisons with NaN are false, so the instant is refused.
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  const localMs = dayMs + hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * MS_PER_SECOND + fractionMs;
  return localMs - parseOffset(bytes, at, end);
}

/** Length of the date of an instant with the T. */
const DATE_LENGTH = 11;

/** Length of `YYYY-MM-DDThh:mm`. */
const MINUTE_LENGTH = 16;

/** Reads the instants of a column, row by row. Most have the form and the date of the one before, and are compared with it. */
export class InstantColumn {
  private bytes: Uint8Array;
  /** Place of the last instant. */
  private start = 0;
  private end = 0;
  /** What it would be at 00:00 of its date. */
  private dateMs = Number.NaN;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Continues with other bytes. */
  load(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.end = this.start;
  }

  /** The instant that is written as the last one was, up to its hour and minute; NaN for another text. */
  readLikeLast(start: number): EpochMs {
    const bytes = this.bytes;
    const last = this.start;
    const length = this.end - last;
    if (length < MINUTE_LENGTH) return Number.NaN;
    for (let k = 0; k < DATE_LENGTH; k++) if (bytes[start + k] !== bytes[last + k]) return Number.NaN;
    if (bytes[start + 13] !== COLON) return Number.NaN;
    for (let k = MINUTE_LENGTH; k < length; k++) if (bytes[start + k] !== bytes[last + k]) return Number.NaN;
    const hour = twoDigits(bytes, start + 11);
    const minute = twoDigits(bytes, start + 14);
    if (!(hour < 24 && minute < 60)) return Number.NaN;
    return this.dateMs + hour * MS_PER_HOUR + minute * MS_PER_MINUTE;
  }

  /** Length of the last instant. */
  get length(): number {
    return this.end - this.start;
  }

  /** Reads an instant of any form; NaN for anything else. */
  read(start: number, end: number): EpochMs {
    const bytes = this.bytes;
    const atMs = parseInstant(bytes, start, end);
    if (Number.isNaN(atMs)) return Number.NaN;
    this.start = start;
    this.end = end;
    this.dateMs = atMs - twoDigits(bytes, start + 11) * MS_PER_HOUR - twoDigits(bytes, start + 14) * MS_PER_MINUTE;
    return atMs;
  }
}

/** The same for a text. */
export function parseInstantText(text: string): EpochMs {
  const bytes = utf8Bytes(text);
  return parseInstant(bytes, 0, bytes.length);
}

/** Describes the expected format for a text that is not an instant. */
export function expectedInstantFormat(text: string): string {
  if (/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/.test(text)) {
    return "a time with Z or an offset, such as 2026-04-01T00:00:00+09:00";
  }
  if (/\.\d{3}\d*[1-9]/.test(text)) return "a time in whole milliseconds";
  return "an ISO 8601 time with Z or an offset, such as 2026-04-01T00:00:00Z";
}

function parseDay(bytes: Uint8Array, at: number): number {
  if (bytes[at + 4] !== 45 || bytes[at + 7] !== 45) return Number.NaN;
  const year = 100 * twoDigits(bytes, at) + twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 5);
  const day = twoDigits(bytes, at + 8);
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= DAYS_IN_MONTH[month - 1])) return Number.NaN;
  if (month === 2 && day === 29 && !isLeapYear(year)) return Number.NaN;
  return daysSinceEpoch(year, month, day) * MS_PER_DAY;
}

/** Gregorian calendar, months counted from March so that the leap day comes last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Milliseconds to subtract from local time; NaN where there is no offset or more than one. */
function parseOffset(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at];
  if (sign === 90) return at + 1 === end ? 0 : Number.NaN;
  if (sign !== 43 && sign !== 45) return Number.NaN;
  const length = end - at;
  const hasColon = length === 6 && bytes[at + 3] === COLON;
  if (length !== 3 && length !== 5 && !hasColon) return Number.NaN;
  const hours = twoDigits(bytes, at + 1);
  const minutes = length === 3 ? 0 : twoDigits(bytes, at + length - 2);
  if (!(hours < 24 && minutes < 60)) return Number.NaN;
  const offsetMs = hours * MS_PER_HOUR + minutes * MS_PER_MINUTE;
  return sign === 45 ? -offsetMs : offsetMs;
}

function parseFraction(bytes: Uint8Array, at: number, end: number): number {
  if (at === end) return Number.NaN;
  let ms = 0;
  for (let k = 0; k < 3; k++) ms = 10 * ms + (at + k < end ? bytes[at + k] - ZERO : 0);
  for (let k = at + 3; k < end; k++) if (bytes[k] !== ZERO) return Number.NaN;
  return ms;
}

function skipDigits(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] >= ZERO && bytes[at] <= 57) at++;
  return at;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - ZERO;
  const ones = bytes[at + 1] - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : Number.NaN;
}
