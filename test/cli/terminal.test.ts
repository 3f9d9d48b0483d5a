import { expect, test } from "vitest";
import { isColoured } from "../../src/cli/colourText.ts";
import { remainingText } from "../../src/cli/openProgress.ts";

test.each<[boolean, Readonly<Record<string, string>>, boolean]>([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [true, { TERM: "dumb" }, false],
])("terminal %s with %o has colour: %s", (isTerminal, env, expected) => {
  expect(isColoured({ isTTY: isTerminal }, env)).toBe(expected);
});

test("the remaining time is printed for people, once it can be estimated", () => {
  expect(remainingText(0, 5_000)).toBe("");
  expect(remainingText(0.5, 1_000)).toBe("");
  expect(remainingText(0.25, 30_000)).toBe(" · 1 min 30 s left");
});
