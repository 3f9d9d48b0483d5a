import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../../src/base/bytes.ts";
import { InputErrors } from "../../../src/base/inputError.ts";
import { type MeasuredOptions, readMeasured } from "../../../src/twin/measured/measuredFile.ts";
import { isGapAfter, siteWithin } from "../../../src/twin/measured/measuredSeries.ts";

const at = (text: string): number => Date.parse(`2026-04-01T${text}Z`);

const read = (
  contents: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<MeasuredOptions> = {},
  siteNames = ["a", "b"],
) => {
  const bytes = new Map(
    Object.entries(contents).map(([name, content]) => [
      name,
      typeof content === "string" ? utf8Bytes(content) : content,
    ]),
  );
  const files = { read: (path: string) => bytes.get(path) ?? null };
  return readMeasured([...bytes.keys()], { files, siteNames, ratingsKw: new Map([["a", 100]]), ...options });
};

const refusalOf = async (content: string | Uint8Array, siteNames?: string[]): Promise<string> => {
  try {
    await read({ "m.csv": content }, {}, siteNames);
  } catch (error) {
    if (error instanceof InputErrors) return error.message;
    throw error;
  }
  return "accepted";
};

const TWO_SITES = `timestamp,site,current_kw,soc,active_sku
2026-04-01T00:00:00Z,a,10,50,
2026-04-01T00:00:00Z,b,-5,,frr
2026-04-01T09:01:00+09:00,a,11.5,51,fcr
2026-04-01T00:01:00Z,b,,,
`;

describe("a measured file", () => {
  test("gives columns by site, NaN where there is no value", async () => {
    const { sites, files } = await read({ "m.csv": TWO_SITES });
    const a = sites.get("a")?.main;
    expect([...(a?.timesMs ?? [])]).toEqual([at("00:00:00"), at("00:01:00")]);
    expect([...(a?.columns.get("current_kw") ?? [])]).toEqual([10, 11.5]);
    expect([...(a?.columns.get("active_sku") ?? [])]).toEqual([Number.NaN, 0]);
    expect([...(sites.get("b")?.main.columns.get("current_kw") ?? [])]).toEqual([-5, Number.NaN]);
    expect(sites.get("b")?.main.columns.has("soc")).toBe(false);
    expect(files).toMatchObject([{ file: "m.csv", rows: 4, fromMs: at("00:00:00"), toMs: at("00:01:00") }]);
  });

  test("is the same as gzip and as Parquet", async () => {
    const plain = await read({ "m.csv": TWO_SITES });
    const packed = await read({ "m.csv.gz": gzipSync(TWO_SITES) });
    const times = ["00:00:00", "00:00:00", "00:01:00", "00:01:00"].map((text) => new Date(at(text)));
    const parquet = parquetWriteBuffer({
      columnData: [
        { name: "timestamp", data: times, type: "TIMESTAMP" },
        { name: "site", data: ["a", "b", "a", "b"], type: "STRING" },
        { name: "current_kw", data: [10, -5, 11.5, null], type: "DOUBLE", nullable: true },
        { name: "soc", data: [50, null, 51, null], type: "DOUBLE", nullable: true },
        { name: "active_sku", data: [null, "frr", "fcr", null], type: "STRING", nullable: true },
      ],
    });
    expect(packed.sites).toEqual(plain.sites);
    expect((await read({ "m.parquet": new Uint8Array(parquet) })).sites).toEqual(plain.sites);
  });

  test("needs no column of sites for one site, or with the name of a site", async () => {
    const text = "timestamp,soc\n2026-04-01T00:00:00Z,50\n2026-04-01T00:01:00Z,51\n";
    expect([...(await read({ "x.csv": text }, {}, ["a"])).sites.keys()]).toEqual(["a"]);
    expect([...(await read({ "b.fine.csv": text })).sites.keys()]).toEqual(["b"]);
  });

  test("gives the set-point as baseline plus delta, and keeps one that is given", async () => {
    const head = "timestamp,site,baseline_kw,dispatched_delta_kw";
    const sum = await read({ "m.csv": `${head}\n2026-04-01T00:00:00Z,a,100,-30\n2026-04-01T00:01:00Z,a,100,\n` });
    expect([...(sum.sites.get("a")?.main.columns.get("setpoint_kw") ?? [])]).toEqual([70, Number.NaN]);
    const own = await read({ "m.csv": `${head},setpoint_kw\n2026-04-01T00:00:00Z,a,100,-30,60\n` });
    expect([...(own.sites.get("a")?.main.columns.get("setpoint_kw") ?? [])]).toEqual([60]);
  });

  test("joins files of one spacing and keeps others apart", async () => {
    const rows = (spacingS: number, count: number, fromMs: number) =>
      Array.from({ length: count }, (_, k) => `${new Date(fromMs + k * spacingS * 1000).toISOString()},${k}`).join(
        "\n",
      );
    const head = "timestamp,current_kw";
    const { sites } = await read({
      "a.1.csv": `${head}\n${rows(60, 10, at("01:00:00"))}`,
      "a.2.csv": `${head}\n${rows(60, 10, at("00:00:00"))}`,
      "a.fine.csv": `${head}\n${rows(1, 30, at("01:00:00"))}`,
    });
    const site = sites.get("a");
    expect(site?.tables.map(({ spacingMs, timesMs }) => [spacingMs, timesMs.length])).toEqual([
      [60_000, 20],
      [1_000, 30],
    ]);
    expect(site?.main).toBe(site?.tables[0]);
    expect(site?.fine).toBe(site?.tables[1]);
    const { main } = site ?? {};
    expect(main && [...main.timesMs.keys()].filter((row) => isGapAfter(main, row))).toEqual([9]);
    expect(
      site && siteWithin(site, at("00:05:00"), at("01:00:05"))?.tables.map(({ timesMs }) => timesMs.length),
    ).toEqual([6, 5]);
    expect(site && siteWithin(site, at("02:00:00"), at("03:00:00"))).toBeNull();
  });

  test("moves means that end at their stamps to their starts", async () => {
    const text = "timestamp,site,current_kw\n2026-04-01T00:01:00Z,a,1\n2026-04-01T00:02:00Z,a,2\n";
    const { sites } = await read({ "m.csv": text }, { label: "end" });
    expect(sites.get("a")?.main).toMatchObject({ label: "mean", spacingMs: 60_000 });
    expect(sites.get("a")?.main.timesMs[0]).toBe(at("00:00:00"));
  });

  test("names columns that it does not read", async () => {
    const { warnings } = await read({ "m.csv": "timestamp,site,soc,power\n2026-04-01T00:00:00Z,a,50,1\n" });
    expect(warnings).toEqual(["m.csv: not read: power"]);
  });
});

describe("a measured file with an error is refused at its place", () => {
  const row = "2026-04-01T00:00:00Z,a,";
  test.each([
    ["no known column", "timestamp,site,power\n", "m.csv:1:1: found no known column among timestamp, site, power"],
    ["no known column", "timestamp,site,power\n", "actual_frequency"],
    ["nothing", "", "m.csv:1:1: found an empty file"],
    ["no rows", "timestamp,site,soc\n", "m.csv:1:1: found a header without rows"],
    ["no time", "site,soc\na,1\n", "m.csv:1:1: found no column timestamp"],
    [
      "no offset",
      "timestamp,site,soc\n2026-04-01T00:00:00,a,50\n",
      'm.csv:2:1: timestamp: found "2026-04-01T00:00:00", allowed a time with Z',
    ],
    ["a text", `timestamp,site,soc\n${row}full\n`, 'm.csv:2:3: soc: found "full", allowed a finite number'],
    [
      "a duplicate",
      `timestamp,site,soc\n${row}50\n${row}51\n`,
      "m.csv:3:1: timestamp: found 2026-04-01T00:00:00Z, the same as the row of the site on line 2",
    ],
    [
      "an unknown site",
      "timestamp,site,soc\n2026-04-01T00:00:00Z,c,50\n",
      'm.csv:2:2: site: found "c", allowed the name of a site (a, b)',
    ],
    [
      "a value out of range",
      `timestamp,site,actual_frequency\n${row}5\n`,
      "m.csv:2:3: actual_frequency: found 5, allowed 40 to 70 (Hz)",
    ],
    ["an unknown product", `timestamp,site,active_sku\n${row}fcr2\n`, 'm.csv:2:3: active_sku: found "fcr2"'],
    ["missing cells", "timestamp,site,soc\n2026-04-01T00:00:00Z,a\n", "m.csv:2:1: found 2 fields, allowed 3"],
    [
      "a fraction",
      `timestamp,site,soc\n${row}0.5\n2026-04-01T00:01:00Z,a,0.51\n`,
      "found values from 0.5 to 0.51, a fraction; the column is in %",
    ],
    [
      "W in place of kW",
      `timestamp,site,current_kw\n${row}90\n2026-04-01T00:01:00Z,a,-85000\n`,
      "m.csv:3:3: current_kw: found -85000, of a site that is rated at 100 kW: W; the column is in kW, allowed the values divided by 1000",
    ],
  ])("%s", async (_, text, message) => expect(await refusalOf(text)).toContain(message));

  test("no site in a scenario of several", async () =>
    expect(await refusalOf("timestamp,soc\n2026-04-01T00:00:00Z,50\n")).toContain("no column site"));

  test("a damaged gzip or Parquet file", async () => {
    expect(await refusalOf(gzipSync(TWO_SITES).subarray(0, 40))).toContain("a damaged gzip file");
    expect(await refusalOf("PAR1 and no more")).toContain("allowed a Parquet file");
  });

  test("two files that contradict each other", async () => {
    const text = (kw: number) => `timestamp,site,current_kw\n2026-04-01T00:00:00Z,a,${kw}\n`;
    await expect(read({ "x.csv": text(1), "y.csv": text(2) })).rejects.toThrow("y.csv:2:3");
    await expect(read({ "x.csv": text(1), "y.csv": text(1) })).resolves.toBeDefined();
  });
});
