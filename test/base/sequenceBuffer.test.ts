import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SequenceBuffer } from "../../src/base/sequenceBuffer.ts";

describe("items by number", () => {
  test("are found by the numbers they got until they are dropped, in whatever order that happens", () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(), { nil: null }), { maxLength: 400 }), (steps) => {
        const items = new SequenceBuffer<string>();
        const expected: (string | undefined)[] = [];
        for (const step of steps) {
          if (step === null) {
            const item = `item ${expected.length}`;
            expect(items.add(item)).toBe(expected.length);
            expected.push(item);
          } else if (expected.length > 0) {
            // Twice over, too.
            items.remove(step % expected.length);
            expected[step % expected.length] = undefined;
          }
          for (const number of [0, Math.floor(expected.length / 2), expected.length - 1])
            if (0 <= number && number < expected.length) expect(items.get(number)).toBe(expected[number]);
        }
        expect(expected.map((_, number) => items.get(number))).toEqual(expected);
      }),
    );
  });

  test("take no memory once all items before them are removed", () => {
    const items = new SequenceBuffer<number>();
    for (let k = 0; k < 100_000; k++) {
      const number = items.add(k);
      if (number >= 3) items.remove(number - 3);
    }
    expect((items as unknown as { items: unknown[] }).items.length).toBeLessThan(80);
    expect([99_996, 99_997, 99_998, 99_999].map((number) => items.get(number))).toEqual([
      undefined,
      99_997,
      99_998,
      99_999,
    ]);
  });
});
