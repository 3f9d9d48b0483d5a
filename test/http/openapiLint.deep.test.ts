import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ApiName } from "../../src/api/endpoints/route.ts";
import { openApiDocument } from "../../src/api/http/openapi/openApiDocument.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { ROUTE_TABLES } from "./fakeHost.ts";

const APIS: readonly ApiName[] = ["vpp-v1", "site-v2", "site-v1"];
const require = createRequire(import.meta.url);

test.each(APIS)("the OpenAPI description of %s passes Redocly's linter without an error or a warning", (api) => {
  const folder = createTemporaryFolder("openapi");
  const file = join(folder, `${api}.json`);
  writeFileSync(file, JSON.stringify(openApiDocument(api, ROUTE_TABLES[api])));
  const cli = join(dirname(require.resolve("@redocly/cli/package.json")), "bin", "cli.js");
  const out = execFileSync(process.execPath, [cli, "lint", "--extends", "recommended", "--format", "json", file], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "1" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { problems } = JSON.parse(out.slice(out.indexOf("{"))) as {
    readonly problems: readonly { readonly severity: string; readonly message: string; readonly ruleId: string }[];
  };
  expect(problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
});
