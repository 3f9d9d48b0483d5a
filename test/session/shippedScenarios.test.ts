import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { checkExports, SCENARIOS } from "./checkExports.ts";

const features = readdirSync(join(SCENARIOS, "features")).sort();

test.each(["quickstart/scenario.yaml", ...features.map((name) => `features/${name}`)])(
  "a run of the export of any span of %s gives the session's report",
  checkExports,
);
