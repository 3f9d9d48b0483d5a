import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectedInstantFormat, InstantColumn, parseInstantText } from "../../src/engine/series/csv/parseInstant.ts";

describe("instants that are read", () => {
  // Expected values by the engine's own parser, on a text it is specified for.
  test.each([
    ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"],
    ["2026-04-01T00:00:00+09:00", "2026-03-31T15:00:00.000Z"],
    ["2026-04-01T00:00+09:00", "2026-03-31T15:00:00.000Z"],
    ["2026-04-01 00:00:00+0900", "2026-03-31T15:00:00.000Z"],
    ["2026-04-01T00:00:00-03:30", "2026-04-01T03:30:00.000Z"],
    ["2026-04-01T12:00Z", "2026-04-01T12:00:00.000Z"],
    ["2026-04-01T00:00:00.5+01", "2026-03-31T23:00:00.500Z"],
    ["2026-04-01T00:00:00.123000Z", "2026-04-01T00:00:00.123Z"],
    ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"],
    ["2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"],
    ["1969-12-31T23:59:59-00:00", "1969-12-31T23:59:59.000Z"],
  ])("%s", (text, expected) => {
    expect(parseInstantText(text)).toBe(Date.parse(expected));
  });

  test("every printed instant comes back", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true }),
        (date) => {
          expect(parseInstantText(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
  });
});

describe("texts that are no instant", () => {
  test.each([
    ["2026-04-01T00:00:00", /with Z or an offset/],
    ["2026-04-01 00:00", /with Z or an offset/],
    ["2026-04-01", /with Z or an offset/],
    ["2026-04-01T00:00:00.0005Z", /whole milliseconds/],
    ["2025-02-29T00:00:00Z", /ISO 8601/],
    ["1900-02-29T00:00:00Z", /ISO 8601/],
    ["2026-13-01T00:00:00Z", /ISO 8601/],
    ["2026-04-31T00:00:00Z", /ISO 8601/],
    ["2026-04-00T00:00:00Z", /ISO 8601/],
    ["2026-04-01T24:00:00Z", /ISO 8601/],
    ["2026-04-01T00:60:00Z", /ISO 8601/],
    ["2026-04-01T00:00:60Z", /ISO 8601/],
    ["2026-04-01T00:00:00.Z", /ISO 8601/],
    ["2026-04-01T00:00:00+9:00", /ISO 8601/],
    ["2026-04-01T00:00:00+09:60", /ISO 8601/],
    ["2026-04-01T00:00:00+24:00", /ISO 8601/],
    ["2026-04-01T00:00:00ZZ", /ISO 8601/],
    ["2026-04-01T0a:00:00Z", /ISO 8601/],
    ["2026/04/01T00:00:00Z", /ISO 8601/],
    ["1775001600", /ISO 8601/],
    ["", /ISO 8601/],
  ])("%s", (text, reason) => {
    expect(parseInstantText(text)).toBeNaN();
    expect(expectedInstantFormat(text)).toMatch(reason);
  });
});

test("an instant like the one above is what it is by itself, or is not read", () => {
  const date = fc.constantFrom("2026-04-01T", "2026-04-02T", "2026-04-01 ", "2024-02-29T");
  const clock = fc.oneof(fc.stringMatching(/^[01][0-9]:[0-5][0-9]$/), fc.stringMatching(/^[0-2][0-9a]:[0-6][0-9]$/));
  const rest = fc.constantFrom(":00Z", ":30Z", ":00.250Z", "Z", ":00+09:00", "-03:30");
  const form = fc.tuple(date, rest);
  const column = fc.tuple(
    form,
    fc.array(fc.tuple(fc.oneof(fc.constant(null), fc.constant(null), form), clock), { minLength: 2, maxLength: 12 }),
  );
  let alikeCount = 0;
  fc.assert(
    fc.property(column, ([usual, rows]) => {
      const texts = rows.map(([own, at]) => `${(own ?? usual)[0]}${at}${(own ?? usual)[1]}`);
      const bytes = Buffer.from(texts.join(","));
      const times = new InstantColumn(bytes);
      let start = 0;
      for (const text of texts) {
        const alike = times.readLikeLast(start);
        if (!Number.isNaN(alike) && times.length === text.length) {
          alikeCount++;
          expect(alike).toBe(parseInstantText(text));
        } else expect(times.read(start, start + text.length)).toBe(parseInstantText(text));
        start += text.length + 1;
      }
    }),
  );
  expect(alikeCount).toBeGreaterThan(50);
});
