import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";

/** `describe` and `test` of what a plain clone may lack: without it they skip, and their names say what they need. */
export function needing(what: string, isThere: boolean) {
  const named = (name: string) => (isThere ? name : `${name} [needs ${what}]`);
  return {
    isThere,
    describe: (name: string, body: () => void) => describe.skipIf(!isThere)(named(name), body),
    test: (name: string, body: () => void | Promise<void>, hangsMs?: number) =>
      test.skipIf(!isThere)(named(name), body, hangsMs),
  };
}

/** Measurements and vectors beside the project, which it must not contain. */
export const needingShared = (...paths: readonly string[]) =>
  needing(
    paths.map((path) => `../shared/${path}`).join(", "),
    paths.every((path) => existsSync(join(import.meta.dirname, "../../shared", path))),
  );

export const CHROMIUM = "/usr/bin/chromium";
export const needingChromium = needing(CHROMIUM, existsSync(CHROMIUM));

export const FIREFOX = "/usr/bin/firefox-esr";
export const needingFirefox = needing(FIREFOX, existsSync(FIREFOX));
