import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runVppsim } from "../cli/runVppsim.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const STRONG = "f81d4fae7dec11d0a76500a0c91e6bf6";

test("secrets come from environment variables, and from one source at a time", () => {
  const cwd = createTemporaryFolder("sources");
  const file = writeTinyScenario(cwd);
  writeFileSync(join(cwd, "secret"), STRONG);
  const serve = (env: Record<string, string>, ...flags: string[]) =>
    runVppsim(["serve", file, "--host", "0.0.0.0", "--speed", "0", ...flags], { cwd, env });

  const weak = serve({ VPPSIM_SANDBOX_TOKEN: "hunter2", VPPSIM_TOKEN_SECRET: STRONG });
  expect(weak).toMatchObject({ status: 2, stdout: "" });
  expect(weak.stderr).toContain("--sandbox-token: found 7 characters, with");
  expect(weak.stderr).not.toContain("--token-secret: found");
  expect(weak.stderr).not.toContain("hunter2");

  // The wrong speed alone is left to complain about.
  const strong = serve({ VPPSIM_SANDBOX_TOKEN: STRONG }, "--token-secret-file", "secret");
  expect(strong.status).toBe(2);
  expect(strong.stderr).toContain("--speed: found");
  expect(strong.stderr).not.toContain("--sandbox-token: found");

  const both = serve({}, "--token-secret", STRONG, "--token-secret-file", "secret");
  expect(both.status).toBe(2);
  expect(both.stderr).toContain("cannot be used with option '--token-secret-file <file>'");
});
