import { describe, expect, test } from "vitest";
import { problemsOf, seriesOf, valuesOf } from "./readText.ts";

const hoursOf = (values: Record<string, number | null>) => Object.keys(values).map((utc) => utc.slice(5, 16));

describe("SMARD", () => {
  const file = (rows: readonly string[]) =>
    ({
      format: "smard",
      encoding: "utf8",
      options: { area: "de-lu" },
      text: [
        "\uFEFFDatum von;Datum bis;Deutschland/Luxemburg [€/MWh] Originalauflösungen;∅ Anrainer DE/LU [€/MWh] Originalauflösungen",
        ...rows,
      ].join("\r\n"),
    }) as const;

  test("decimal comma, thousands dot, and a repeated hour in its order", () => {
    const rows = [
      "25.10.2026 01:00;25.10.2026 02:00;1.234,56;1,00",
      "25.10.2026 02:00;25.10.2026 02:00;-5,01;1,00",
      "25.10.2026 02:00;25.10.2026 03:00;-;1,00",
      "25.10.2026 03:00;25.10.2026 04:00;0,00;1,00",
    ];
    const values = valuesOf(seriesOf(file(rows)), "price_eur_per_mwh");
    expect(hoursOf(values)).toEqual(["10-24T23:00", "10-25T00:00", "10-25T01:00", "10-25T02:00"]);
    expect(Object.values(values)).toEqual([1234.56, -5.01, null, 0]);
    const computed = {
      ...file(rows),
      text: file(rows).text.replaceAll("Originalauflösungen", "Berechnete Auflösungen"),
    };
    expect(valuesOf(seriesOf(computed), "price_eur_per_mwh")).toEqual(values);
  });

  test("the hour that the clocks leave out is an error, and so is another zone", () => {
    expect(problemsOf(file(["29.03.2026 02:00;29.03.2026 03:00;1,00;1,00"]))[0]).toMatchObject({ line: 2, column: 1 });
    expect(
      problemsOf({ ...file(["25.10.2026 01:00;25.10.2026 02:00;1,00;1,00"]), options: { area: "fr" } })[0],
    ).toMatchObject({
      key: "area",
      allowed: "a bidding zone of this file: de-lu, neighbours",
    });
  });
});

describe("ENTSO-E", () => {
  const file = (rows: readonly string[], options = {}) =>
    ({
      format: "entsoe_prices",
      encoding: "utf8",
      options,
      text: [
        '"MTU (CET/CEST)","Area","Sequence","Day-ahead Price (EUR/MWh)","Intraday Period (CET/CEST)","Intraday Price (EUR/MWh)"',
        ...rows,
      ].join("\n"),
    }) as const;
  const row = (mtu: string, sequence: string, price: string) => `"${mtu}","BZN|DE-LU","${sequence}","${price}","",""`;

  test("days first, marks of the zone on the repeated hour, quarters of an hour", () => {
    const rows = [
      row("25/10/2026 02:45:00 (CEST) - 25/10/2026 02:00:00 (CET)", "Sequence Sequence 1", "10.00"),
      row("25/10/2026 02:00:00 (CET) - 25/10/2026 02:15:00 (CET)", "Sequence 1", "11.00"),
    ];
    const table = seriesOf(file(rows));
    expect(valuesOf(table, "price_eur_per_mwh")).toEqual({
      "2026-10-25T00:45:00.000Z": 10,
      "2026-10-25T01:00:00.000Z": 11,
    });
    expect(table.resolutionMs).toBe(900_000);
  });

  test("of several auctions one is chosen", () => {
    const mtu = "02/01/2026 00:00:00 - 02/01/2026 01:00:00";
    const rows = [row(mtu, "Sequence 1", "10.00"), row(mtu, "Sequence 2", "20.00")];
    expect(problemsOf(file(rows))[0]).toMatchObject({
      key: "sequence",
      found: "2 values of sequence",
      allowed: "one of 1, 2",
    });
    expect(valuesOf(seriesOf(file(rows, { sequence: "2" })), "price_eur_per_mwh")).toEqual({
      "2026-01-01T23:00:00.000Z": 20,
    });
    const alone = seriesOf(file([row(mtu, "Without Sequence", "10.00")]));
    expect(valuesOf(alone, "price_eur_per_mwh")).toEqual({ "2026-01-01T23:00:00.000Z": 10 });
  });

  test("prices of intraday auctions have their own periods", () => {
    const header =
      '"MTU (CET/CEST)","Area","Sequence","Day-ahead Price (EUR/MWh)","Intraday Period (CET/CEST)","Intraday Price (EUR/MWh)"';
    const day = "02/01/2026 ";
    const rows = [
      `"${day}00:00:00 - ${day}01:00:00","BZN|DE-LU","Sequence 1","10.00","${day}00:00:00 - ${day}00:15:00","11.00"`,
      `"${day}00:00:00 - ${day}01:00:00","BZN|DE-LU","Sequence 1","10.00","${day}00:15:00 - ${day}00:30:00","-"`,
      `"${day}00:00:00 - ${day}01:00:00","BZN|DE-LU","Sequence 1","","${day}00:30:00 - ${day}00:45:00","-13.00"`,
      `"${day}01:00:00 - ${day}02:00:00","BZN|DE-LU","Sequence 1","20.00","",""`,
    ];
    const table = seriesOf({ format: "entsoe_prices", text: [header, ...rows].join("\n") });
    expect(table.resolutionMs).toBe(3_600_000);
    expect(valuesOf(table, "price_eur_per_mwh")).toEqual({
      "2026-01-01T23:00:00.000Z": 10,
      "2026-01-02T00:00:00.000Z": 20,
    });
    expect(valuesOf(table, "intraday_price_eur_per_mwh")).toEqual({
      "2026-01-01T23:00:00.000Z": 11,
      "2026-01-01T23:15:00.000Z": null,
      "2026-01-01T23:30:00.000Z": -13,
    });
    expect(
      problemsOf({ format: "entsoe_prices", text: [header, rows[0].replace("11.00", "x")].join("\n") })[0],
    ).toMatchObject({
      line: 2,
      key: "Intraday Price (EUR/MWh)",
    });
  });

  test("the earlier layout, in UTC and in another currency", () => {
    const text =
      '"MTU (UTC)","Day-ahead Price [GBP/MWh]","Currency","BZN|GB"\n"01.02.2024 00:00 - 01.02.2024 01:00","n/e","GBP",""\n"01.02.2024 01:00 - 01.02.2024 02:00","55.50","GBP",""';
    expect(valuesOf(seriesOf({ format: "entsoe_prices", text }), "price_gbp_per_mwh")).toEqual({
      "2024-02-01T00:00:00.000Z": null,
      "2024-02-01T01:00:00.000Z": 55.5,
    });
  });

  test("a month first is an error where it cannot be a day first", () => {
    expect(problemsOf(file([row("01/31/2026 00:00:00 - 01/31/2026 01:00:00", "Sequence 1", "1")]))[0]).toMatchObject({
      line: 2,
    });
  });
});

describe("Elexon", () => {
  const period = (settlementDate: string, settlementPeriod: number, startTime?: string) => ({
    settlementDate,
    settlementPeriod,
    ...(startTime === undefined ? {} : { startTime }),
    systemSellPrice: settlementPeriod + 0.5,
    systemBuyPrice: settlementPeriod + 0.5,
  });
  const read = (data: readonly object[]) => ({ format: "elexon_prices", text: JSON.stringify({ data }) }) as const;

  test("50 periods on the long day of autumn", () => {
    const table = seriesOf(read(Array.from({ length: 50 }, (_, k) => period("2026-10-25", k + 1))));
    const values = Object.entries(valuesOf(table, "system_sell_price_gbp_per_mwh"));
    expect([values[0], values[49]]).toEqual([
      ["2026-10-24T23:00:00.000Z", 1.5],
      ["2026-10-25T23:30:00.000Z", 50.5],
    ]);
    expect(table.gaps).toEqual([]);
  });

  test("a start time that contradicts the period is an error", () => {
    expect(problemsOf(read([period("2026-07-01", 1, "2026-07-01T00:00:00Z")]))[0]).toMatchObject({
      key: "startTime",
      allowed: "the start of period 1, 2026-06-30T23:00:00.000Z",
    });
  });

  test("the market index as CSV, without the provider that publishes zeros", () => {
    const text =
      "startTime,dataProvider,settlementDate,settlementPeriod,price,volume\n2026-01-02T00:00:00Z,APXMIDP,2026-01-02,1,75.25,100\n2026-01-02T00:00:00Z,N2EXMIDP,2026-01-02,1,0,0";
    expect(valuesOf(seriesOf({ format: "elexon_prices", text }), "market_index_price_gbp_per_mwh")).toEqual({
      "2026-01-02T00:00:00.000Z": 75.25,
    });
  });
});
