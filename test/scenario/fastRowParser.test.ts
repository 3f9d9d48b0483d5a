import fc from "fast-check";
import { expect, test } from "vitest";
import { ErrorCollector } from "../../src/base/inputError.ts";
import { RemarkCollector } from "../../src/inputs/scenario/checks/remark.ts";
import { DocumentChecker } from "../../src/inputs/scenario/parse/documentChecker.ts";
import type { JsonSchema } from "../../src/inputs/scenario/parse/jsonSchema.ts";
import { readConfigTable } from "../../src/inputs/scenario/parse/readConfigTable.ts";
import { FastRowParser } from "../../src/inputs/scenario/parse/readEntries.ts";
import { awardSchema } from "../../src/inputs/scenario/schema/awardSchema.ts";
import { eventSchema } from "../../src/inputs/scenario/schema/eventSchema.ts";
import { runs } from "../depth.ts";

const AWARD = awardSchema as unknown as JsonSchema;
const HEADER = "vpp,sku,start,end,delta_kw,activation,award_id,price_jpy_per_kwh";

const anyOf = (...cells: string[]) => fc.constantFrom(...cells);
const ROW = fc.tuple(
  anyOf("v", "", "north east"),
  anyOf("frr", "", "fcrr", "rr"),
  anyOf("2026-04-01T00:00:00Z", "2026-04-01T09:00:00.5+09:00", "2026-04-01T00:00:00", ""),
  anyOf("2026-04-01T01:00:00Z", "2026-04-01 01:00Z", "x", ""),
  anyOf("1", "-1.5e3", "1e9", "", "0x1", "NaN", "."),
  anyOf("", "0", "1", "0.5", "2", "s.share", "half"),
  anyOf("", "A-1", "a b"),
  anyOf("", "3", "s.jpy", "-"),
);

test("a row of the fast parser equals the row of the checker; a row with an error is left to the checker", () => {
  fc.assert(
    fc.property(ROW, (cells) => {
      const table = readConfigTable({
        file: "a.csv",
        text: `${HEADER}\n${cells.join(",")}\n`,
        findColumnError: () => null,
        errors: new ErrorCollector(),
        remarks: new RemarkCollector(),
      });
      const [row] = table?.rows ?? [];
      const quick = FastRowParser.create(AWARD, table?.columns ?? [], {})?.parse(row.cells) ?? null;
      const checker = new DocumentChecker(new ErrorCollector());
      const slow = checker.check(AWARD, row, table!.origin, "");
      const leftToChecker = checker.errors.count > 0 || checker.seriesReferences.length > 0;
      expect(quick === null).toBe(leftToChecker);
      if (quick !== null) {
        checker.setSource(quick, checker.sourceOf(slow as object)!);
        expect(quick).toEqual(slow);
      }
    }),
    { numRuns: runs(2000) },
  );
});

test("events, which have several forms, and dotted columns are left to the checker", () => {
  expect(FastRowParser.create(eventSchema as unknown as JsonSchema, [["at"], ["kind"]], {})).toBeNull();
  expect(FastRowParser.create(AWARD, [["start"], ["compound_breakdown", "frr"]], {})).toBeNull();
  expect(FastRowParser.create(AWARD, [["start"], ["end"]], {})).not.toBeNull();
});
