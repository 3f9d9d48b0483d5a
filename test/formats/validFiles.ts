import type { TextFile } from "./readText.ts";

export const clock = (slot: number): string => `${Math.floor(slot / 2)}:${slot % 2 === 0 ? "00" : "30"}`;
export const lines = (...texts: readonly string[]): string => `${texts.join("\r\n")}\r\n`;
/** One usage point with its readings: [start in seconds, duration, value]. */
export const greenButtonMeter = (
  point: string,
  flow: number,
  multiplier: number,
  readings: readonly (readonly [number, number, number])[],
  { uom = 72, behaviour = 4 } = {},
): string => {
  const path = `/espi/1_1/resource/RetailCustomer/9/UsagePoint/${point}/MeterReading/${flow}`;
  const type = `/espi/1_1/resource/ReadingType/${point}-${flow}`;
  return [
    `<entry><link rel="self" href="${path}"/><link rel="related" href="${type}"/><content><MeterReading xmlns="http://naesb.org/espi"/></content></entry>`,
    `<entry><link rel="self" href="${type}"/><content><ReadingType xmlns="http://naesb.org/espi"><accumulationBehaviour>${behaviour}</accumulationBehaviour><flowDirection>${flow}</flowDirection><powerOfTenMultiplier>${multiplier}</powerOfTenMultiplier><uom>${uom}</uom></ReadingType></content></entry>`,
    `<entry><link rel="self" href="${path}/IntervalBlock/1"/><link rel="up" href="${path}/IntervalBlock"/><content><IntervalBlock xmlns="http://naesb.org/espi">`,
    ...readings.map(
      ([start, duration, value]) =>
        `<IntervalReading><timePeriod><duration>${duration}</duration><start>${start}</start></timePeriod><value>${value}</value></IntervalReading>`,
    ),
    "</IntervalBlock></content></entry>",
  ].join("\n");
};
export const greenButtonText = (meters: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n${meters.join("\n")}\n</feed>\n`;

const EPRX = ["H,電力需給調整力取引所取引結果,対象年月,商品区分,ブロック数", "P,速報値,203107,一次調整力,48"] as const;
const METPV_DAY = Array.from({ length: 10 }, (_, k) =>
  [k + 1, 1, 1, "2011.0", ...Array.from({ length: 24 }, (_, h) => 10 * h + k), 99, 1, 99, 9, 1].join(","),
);
const EPW_ROW = (hour: number): string =>
  [1991, 1, 2, hour, 60, "?9", 5.5, 1, 50, 101300, ...Array.from({ length: 25 }, (_, k) => k)].join(",");

/** A small valid file of each format of series. */
export const VALID_FILES: readonly TextFile[] = [
  {
    format: "jepx_spot",
    text: lines(
      "受渡日,時刻コード,約定総量(kWh),システムプライス(円/kWh),エリアプライス東京(円/kWh)",
      "2031/04/01,1,1000050,10.50,11.25",
      "2031/04/01,2,1000100,10.40,12.35",
    ),
  },
  {
    format: "jepx_intraday",
    text: lines(
      "年月日,時刻コード,始値(円/kWh),高値(円/kWh),安値(円/kWh),終値(円/kWh),平均(円/kWh),約定量合計(kWh),約定件数",
      "2031/04/01,1,10.10,11.02,7.05,7.39,10.16,128800,53",
      "2031/04/01,2,,,,,,,0",
    ),
  },
  {
    format: "jepx_fit_fip",
    text: lines(
      "年月日,時刻コード,回避可能原価全国値(円/kWh),回避可能原価東京(円/kWh),FIP参照価格(卸電力取引市場分)全国値(円/kWh)",
      "2031/04/01,1,10.11,11.22,12.33",
      "2031/04/01,2,10.12,11.23,12.34",
    ),
  },
  {
    format: "jepx_virtual_price",
    text: lines(
      "年月日,時刻コード,システムプライス,売500MW,買500MW",
      "2031/04/01,1,10.50,-0.35,0.25",
      "2031/04/01,2,10.40,-0.45,0.15",
    ),
  },
  {
    format: "eprx_results",
    text: lines(
      ...EPRX,
      "TT,取引情報,北海道,東京,合計",
      "20310702B01,落札量合計（電源属地別）[MW],8.125,1,9.125",
      "20310702B01,平均落札価格（電源属地別）[円/kW・30分],5.25,2,4.89",
      "E",
    ),
  },
  {
    format: "eprx_resources",
    text: lines(...EPRX, "TT,取引情報,火力発電,VPP,合計", "20310702B01,落札量合計[MW],100,1.25,101.25", "E"),
  },
  {
    format: "eprx_tie_lines",
    text: lines(
      "H,連系線確保量,対象年月,ブロック数,市場種別",
      "P,速報値,203107,48,DCM",
      "T,順方向元エリア,逆方向元エリア,連系線確保量上限値（順方向）[MW],連系線確保量上限値（逆方向）[MW],連系線確保量（順方向）[MW],連系線確保量（逆方向）[MW]",
      "20310702B01,東京,中部,500,1500.5,20,0",
      "E",
    ),
  },
  {
    format: "eprx_requirements",
    text: lines(
      "Compound_Requirement_[MW],,,,,",
      "2031/4_,北海道,東京,2031/5_,北海道,東京",
      ...Array.from({ length: 48 }, (_, k) => {
        const range = `${clock(k).padStart(5, "0")}～${clock(k + 1).padStart(5, "0")}`;
        return `${range},${200 + k},${1000 + k},${range},,`;
      }),
    ),
  },
  {
    format: "imbalance_price",
    text: lines(
      '"H","インバランス料金単価(円/kWh)"',
      '"T","日付","時間帯コマ","時間帯_自","時間帯_至","東京","変更S","東京","変更S"',
      '"D","20310702","01","00:00","00:30","5.10","0","6.10","0"',
      '"D","20310702","48","23:30","24:00","5.20","0","6.20","0"',
    ),
  },
  {
    format: "area_supply",
    text: lines(
      "単位[MW平均],,,供給力",
      "DATE,TIME,エリア需要,原子力,連系線,合計",
      "2031/7/1,0:00,1000,650,350,1000",
      "2031/7/1,0:30,1010,660,350,1010",
    ),
  },
  {
    format: "power_usage",
    text: lines(
      "2031/7/1 10:05 UPDATE",
      "DATE,TIME,当日実績(万kW),予測値(万kW)",
      "2031/7/1,0:00,2345,2300",
      "2031/7/1,1:00,2355,2310",
    ),
  },
  {
    format: "occto_reserve",
    text: lines(
      '"2031/07/01 02:30 UPDATE"',
      '"対象年月日","時刻","ブロックNo","エリア名","広域ブロック需要(MW)","広域ブロック供給力(MW)","広域ブロック予備力(MW)","広域予備率(%)","広域使用率(%)","エリア需要(MW)","エリア供給力(MW)","エリア予備力(MW)"',
      '"2031/07/01","00:30","2","東京","50433.828","58811.602","8377.774","16.61","85.75","34906","40360","5454"',
      '"2031/07/01","01:00","2","東京","50433.829","58811.603","8377.775","16.62","85.76","34907","40361","5455"',
    ),
  },
  {
    format: "bp_meter",
    text: '<?xml version="1.0" encoding="UTF-8"?>\n<SBD-MSG><JPMGRP><JPTRM><JP06116>20310701</JP06116><JP06219>16</JP06219><JPM00010><JPMR00010><JP06400>0399999999999999999991</JP06400><JP06122>0</JP06122><JP06125>1.3</JP06125></JPMR00010></JPM00010></JPTRM></JPMGRP></SBD-MSG>\n',
  },
  {
    format: "meter_days",
    text: lines(
      "単位,kWh",
      ["年月日", ...Array.from({ length: 48 }, (_, k) => `${clock(k)}～${clock(k + 1)}`)].join(","),
      ["2031/07/01", ...Array.from({ length: 48 }, (_, k) => 1000 + k)].join(","),
    ),
  },
  {
    format: "green_button",
    encoding: "utf8",
    text: greenButtonText([greenButtonMeter("77", 1, 0, [[1_900_000_800, 900, 250]])]),
  },
  {
    format: "nem12",
    text: lines(
      "100,NEM12,203107020000,MDP,RETAILER",
      "200,4102000001,E1B1,E1,E1,,99,kWh,30,",
      ["300", "20310701", ...Array.from({ length: 48 }, (_, k) => (k / 8).toFixed(3)), "A", "", "", "", ""].join(","),
      "900",
    ),
  },
  {
    format: "jma_hourly",
    text: lines(
      "ダウンロードした時刻：2031/07/20 12:49:53",
      "",
      ",架空,架空,架空,架空",
      "年月日時,気温(℃),気温(℃),日射量(MJ/㎡),日射量(MJ/㎡)",
      ",,品質情報,,品質情報",
      "2031/7/1 12:00:00,25.5,8,3.60,8",
      "2031/7/1 13:00:00,25.6,8,3.50,8",
    ),
  },
  { format: "metpv20", text: lines("43256,KASOU,36,0.0,140,0.0,10.0", ...METPV_DAY) },
  {
    format: "epw",
    text: lines(
      "LOCATION,KASOU,-,JPN,SYNTHETIC,0,36,140,9.0,10",
      "A",
      "B",
      "C",
      "D",
      "COMMENTS 1",
      "COMMENTS 2",
      "DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31",
      EPW_ROW(1),
      EPW_ROW(2),
    ),
  },
  {
    format: "tmy3",
    text: lines(
      "999999,KASOU,TX,-6.0,32.000,-97.000,200",
      "Date (MM/DD/YYYY),Time (HH:MM),GHI (W/m^2),DNI (W/m^2),DHI (W/m^2),Dry-bulb (C),RHum (%),Wspd (m/s)",
      "07/04/1997,01:00,10,20,30,21.5,60,3.1",
      "07/04/1997,02:00,11,21,31,20.5,60,3.2",
    ),
  },
  {
    format: "nsrdb",
    text: lines(
      "Source,Location ID,Latitude,Longitude,Time Zone",
      "NSRDB,1,35,139,0",
      "Year,Month,Day,Hour,Minute,Wind Speed,Temperature,GHI",
      "2031,7,1,0,0,1.5,20.5,740",
      "2031,7,1,0,30,1.6,20.6,750",
    ),
  },
  {
    format: "pvgis",
    text: lines(
      "Latitude (decimal degrees):\t35.690",
      "time,G(i),T2m,WS10m",
      "20310701:0210,512.5,25.5,1.5",
      "20310701:0310,513.5,25.6,1.6",
      "",
      "PVGIS (c) European Union",
    ),
  },
  {
    format: "smard",
    encoding: "utf8",
    text: lines(
      "\uFEFFDatum von;Datum bis;Deutschland/Luxemburg [€/MWh] Originalauflösungen",
      "25.10.2026 00:00;25.10.2026 01:00;1.234,56",
      "25.10.2026 01:00;25.10.2026 02:00;-5,01",
    ),
  },
  {
    format: "entsoe_prices",
    text: lines(
      '"MTU (CET/CEST)","Area","Sequence","Day-ahead Price (EUR/MWh)"',
      '"25/10/2026 00:00:00 - 25/10/2026 01:00:00","BZN|DE-LU","Sequence 1","10.00"',
      '"25/10/2026 01:00:00 - 25/10/2026 02:00:00","BZN|DE-LU","Sequence 1","11.00"',
    ),
  },
  {
    format: "elexon_prices",
    text: JSON.stringify({
      data: [{ settlementDate: "2026-07-01", settlementPeriod: 1, systemSellPrice: 61.25, systemBuyPrice: 61.25 }],
    }),
  },
  { format: "table", text: lines("日時,需要(kW)", '2031/7/1 0:00,"1,450"', "2031/7/1 0:30,1451") },
];
