import { SKUS, UPWARD_SKUS } from "../../../base/sku.ts";

/** How the cells of a key are read. */
type RecordKind = "text" | "time" | "power" | "number" | "duration" | "product";

export interface RecordKey {
  readonly kind: RecordKind;
  /** Further headers of the column, normalised and in lower case. */
  readonly headers?: readonly string[];
}

/** Names of the products of the balancing market, as EPRX prints them after normalisation. */
const PRODUCTS: readonly (readonly [RegExp, string])[] = [
  [/^一次調整力/, "fcr"],
  [/^二次調整力(1|①|\(1\))/, "s-frr"],
  [/^二次調整力(2|②|\(2\))/, "frr"],
  [/^三次調整力(1|①|\(1\))/, "rr"],
  [/^三次調整力(2|②|\(2\))/, "rr-fit"],
  [/^複合/, "compound"],
];

/** The product of a scenario for a printed one, or for its own name in any case; `null` for other texts. */
export const productOf = (text: string): string | null =>
  PRODUCTS.find(([pattern]) => pattern.test(text))?.[1] ?? SKUS.find((sku) => sku === text.toLowerCase()) ?? null;

export const PRODUCT_NAMES = `one of ${SKUS.join(", ")}, or as EPRX prints it, such as 三次調整力②`;

/** Rows of a kind in a scenario: its keys, and those that every row needs. */
export interface RecordLayout {
  readonly keys: Readonly<Record<string, RecordKey>>;
  readonly required: readonly string[];
  /** Keys of which a table needs at least one. */
  readonly oneOf?: readonly string[];
}

const START: RecordKey = { kind: "time", headers: ["開始", "開始日時", "開始時刻", "from"] };
const END: RecordKey = { kind: "time", headers: ["終了", "終了日時", "終了時刻", "to", "until"] };
const VPP: RecordKey = { kind: "text" };
const SITE: RecordKey = { kind: "text", headers: ["サイト", "地点", "リソース"] };
const POWER: RecordKey = { kind: "power" };
const NUMBER: RecordKey = { kind: "number" };

export const AWARD_LAYOUT: RecordLayout = {
  keys: {
    vpp: VPP,
    sku: { kind: "product", headers: ["商品", "商品区分"] },
    start: START,
    end: END,
    registered_at: { kind: "time" },
    delta_kw: POWER,
    fcr_response_kw: POWER,
    activation: { kind: "number", headers: ["発動率"] },
    price_jpy_per_kw_h: NUMBER,
    price_jpy_per_kw_30min: { kind: "number", headers: ["δkw単価", "δkw単価(円/kw・30分)"] },
    price_jpy_per_kwh: NUMBER,
    v1_price_per_kwh: { kind: "number", headers: ["v1単価"] },
    v2_price_per_kwh: { kind: "number", headers: ["v2単価"] },
    penalty_jpy_per_kwh: NUMBER,
    award_id: { kind: "text", headers: ["約定番号"] },
  },
  required: ["start", "end"],
  oneOf: ["delta_kw", "fcr_response_kw"],
};

export const EVENT_LAYOUT: RecordLayout = {
  keys: {
    at: { kind: "time", headers: ["日時", "発生", "発生日時", "timestamp"] },
    kind: { kind: "text", headers: ["種別"] },
    site: SITE,
    vpp: VPP,
    duration: { kind: "duration", headers: ["時間", "継続時間"] },
    limit_pct: NUMBER,
    reason: { kind: "text" },
    allocation_weight: NUMBER,
    resource_type: { kind: "text" },
    label: { kind: "text" },
    start: START,
    end: END,
    delta_kw: POWER,
  },
  required: ["at", "kind"],
};

export const MEMBER_LAYOUT: RecordLayout = {
  keys: {
    site: SITE,
    resource_type: { kind: "text", headers: ["種別"] },
    allocation_weight: { kind: "number", headers: ["重み", "配分"] },
    label: { kind: "text", headers: ["名称"] },
  },
  required: ["site", "resource_type"],
};

/** Asks for the sign of awards whose upward reserve is positive throughout, as tables of market results print it. */
export function signNotes(keys: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const [sku, kw] = [keys.indexOf("sku"), keys.indexOf("delta_kw")];
  const upward = rows.filter((row) => UPWARD_SKUS.includes(row[sku]) && row[kw] !== "" && row[kw] !== "0");
  if (upward.length === 0 || upward.some((row) => row[kw].startsWith("-"))) return [];
  return [
    "upward reserve is below 0 (more export, less import), and all of it is above 0 here: --negate delta_kw turns it",
  ];
}
