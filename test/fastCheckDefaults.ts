// Properties that name no number of cases and no seed run a hundred cases, and the same ones each time.
import fc from "fast-check";
import { runs, seedOr } from "./depth.ts";

fc.configureGlobal({ numRuns: runs(100, 100), seed: seedOr(1) });
