import { expect, test } from "vitest";
import { hexId } from "../../../src/base/ids.ts";
import { evenSeries, losslessBattery, site, world } from "../../simulation/smallWorld.ts";
import { ApiCaller } from "../apiCaller.ts";

const LIMITS = {
  siteImportMaxKw: evenSeries("import", 30, [300, 300, 100, 100, 100]),
  siteExportMaxKw: evenSeries("export", 30, [400, 400, 150, 150, 150]),
};

const caller = (): ApiCaller => {
  const plain = site("a", losslessBattery());
  return new ApiCaller(world([{ ...plain, constraints: { ...plain.constraints, ...LIMITS } }]));
};

const get = (from: ApiCaller, api: "site-v1" | "site-v2", path: string) =>
  from.call(api, hexId("site:a"), "GET", path).body;

test("specifications and availability have the connection limits in force (docs/model/connection-point.md#limits-by-time)", () => {
  const from = caller();
  const read = (clock: string) => {
    from.advanceTo(clock);
    const { site_constraints } = get(from, "site-v2", "/specifications");
    const { import_power_available, export_power_available } = get(from, "site-v2", "/status");
    const { charge_power_available, discharge_power_available } = get(from, "site-v1", "/status");
    return [
      site_constraints,
      import_power_available,
      export_power_available,
      charge_power_available,
      discharge_power_available,
    ];
  };
  const wide = [{ site_import_max_kw: 300, site_export_max_kw: 400 }, 300, 400, 300, 400];
  expect(read("00:59:59")).toEqual(wide);
  expect(read("01:00")).toEqual([{ site_import_max_kw: 100, site_export_max_kw: 150 }, 100, 150, 100, 150]);
});
