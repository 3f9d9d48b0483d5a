import { test } from "vitest";
import { checkExports } from "./checkExports.ts";

test("a run of the export of any span of mixed-week gives the session's report", () =>
  checkExports("mixed-week/scenario.yaml"));
