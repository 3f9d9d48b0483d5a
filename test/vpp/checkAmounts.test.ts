import { describe, expect, test } from "vitest";
import { checkAmounts, findAmountFaults, type RequestAmounts } from "../../src/engine/vpp/instructions/checkAmounts.ts";

/** The amounts of a request; others are absent. */
interface Given {
  readonly sku?: RequestAmounts["sku"];
  readonly delta?: number;
  readonly width?: number;
  readonly parts?: Readonly<Record<string, number>>;
}

const amounts = ({ sku = null, delta, width, parts }: Given): RequestAmounts => ({
  sku,
  deltaKw: delta ?? null,
  fcrResponseKw: width ?? null,
  compoundBreakdown: parts ?? null,
});

const compound = (delta: number, parts?: Record<string, number>, width?: number): Given => ({
  sku: "compound",
  delta,
  ...(parts === undefined ? {} : { parts }),
  ...(width === undefined ? {} : { width }),
});

describe("amounts that a product takes", () => {
  const CASES: readonly (readonly [string, Given])[] = [
    ["a delta outside any market", { delta: -100 }],
    ["a delta of 0", { sku: "rr", delta: 0 }],
    ["FCR capacity", { sku: "fcr", width: 300 }],
    ["FCR capacity of 0 (docs/model/allocation.md#fcr-shares)", { sku: "fcr", width: 0 }],
    ["the largest amounts", { sku: "fcr", width: 999_999.9 }],
    ["what rounds to the largest", { delta: -999_999.94 }],
    ["what rounds to no capacity (docs/model/allocation.md#shares)", { sku: "fcr", width: -0.04 }],
    ["a compound without breakdown", compound(-100)],
    ["a compound with FCR capacity and no breakdown", compound(-100, undefined, 40)],
    ["FCR capacity as large as the delta", compound(100, undefined, 100)],
    ["parts of which one is the whole", compound(-100, { frr: -100, rr: -60 })],
    ["FCR capacity among the parts", compound(-100, { fcr_response_kw: 50, frr: -100 }, 50)],
    [
      "FCR capacity that is the whole (docs/model/apis.md#control-order)",
      compound(-100, { fcr_response_kw: 100, rr: -20 }, 100),
    ],
    ["a part of 0, which has no sign", compound(-100, { "s-frr": 0, rr: -100 })],
    ["parts that are equal to the tenth", compound(-100, { "s-frr": -100.04, rr: -99.96 })],
  ];
  test.each(CASES)("%s", (_, given) => expect(checkAmounts(amounts(given))).toBeNull());
});

describe("amounts that are refused", () => {
  // Each by its error_type and the key that file errors name.
  const CASES: readonly (readonly [string, Given, string, string])[] = [
    ["fcr without capacity", { sku: "fcr" }, "fcr_response_kw_required", "fcr_response_kw"],
    ["fcr with a delta", { sku: "fcr", width: 1, delta: 1 }, "delta_kw_not_allowed_for_fcr", "delta_kw"],
    [
      "fcr with a delta alone: the width is missed first",
      { sku: "fcr", delta: 1 },
      "fcr_response_kw_required",
      "fcr_response_kw",
    ],
    ["no delta", { sku: "frr" }, "delta_kw_required", "delta_kw"],
    ["no delta outside any market", {}, "delta_kw_required", "delta_kw"],
    ["a compound without a delta", { sku: "compound", width: 4 }, "delta_kw_required", "delta_kw"],
    ["FCR capacity with rr", { sku: "rr", delta: 1, width: 1 }, "fcr_response_kw_not_allowed", "fcr_response_kw"],
    ["FCR capacity with no product", { delta: 1, width: 1 }, "fcr_response_kw_not_allowed", "fcr_response_kw"],
    ["FCR capacity below 0", { sku: "fcr", width: -0.1 }, "fcr_response_kw_must_be_positive", "fcr_response_kw"],
    ["FCR capacity beyond the range", { sku: "fcr", width: 1_000_000 }, "invalid_parameter", "fcr_response_kw"],
    ["a delta beyond the range", { delta: -999_999.95 }, "invalid_parameter", "delta_kw"],
    [
      "a breakdown of frr",
      { sku: "frr", delta: 1, parts: { frr: 1, rr: 1 } },
      "compound_breakdown_not_allowed",
      "compound_breakdown",
    ],
    ["an unknown part", compound(-5, { frr: -5, fcr: 5 }), "compound_breakdown_invalid_key", "compound_breakdown"],
    [
      "rr-fit, which is no part",
      compound(-5, { frr: -5, "rr-fit": -5 }),
      "compound_breakdown_invalid_key",
      "compound_breakdown",
    ],
    ["one part", compound(-5, { frr: -5 }), "compound_breakdown_invalid_key", "compound_breakdown"],
    ["no part", compound(-5, {}), "compound_breakdown_invalid_key", "compound_breakdown"],
    [
      "a part against the delta",
      compound(-5, { frr: -5, rr: 3 }),
      "compound_breakdown_sign_mismatch",
      "compound_breakdown",
    ],
    [
      "FCR capacity below 0 among the parts",
      compound(5, { frr: 5, fcr_response_kw: -3 }, 3),
      "compound_breakdown_sign_mismatch",
      "compound_breakdown",
    ],
    [
      "FCR capacity unlike the top one",
      compound(-5, { frr: -5, fcr_response_kw: 3 }, 2),
      "compound_breakdown_max_mismatch",
      "compound_breakdown",
    ],
    [
      "FCR capacity that the request leaves out",
      compound(-5, { frr: -5, fcr_response_kw: 3 }),
      "compound_breakdown_max_mismatch",
      "compound_breakdown",
    ],
    [
      "an FCR capacity of the request that its components leave out",
      compound(-5, { frr: -5, rr: -3 }, 2),
      "compound_breakdown_max_mismatch",
      "compound_breakdown",
    ],
    [
      "a part above the whole, before the largest is looked at",
      compound(-5, { frr: -6, rr: -3 }),
      "compound_breakdown_value_exceeds_total",
      "compound_breakdown",
    ],
    [
      "FCR capacity above the delta, without a breakdown",
      compound(-5, undefined, 6),
      "compound_breakdown_value_exceeds_total",
      "fcr_response_kw",
    ],
    [
      "FCR capacity above the delta, among the parts",
      compound(-5, { frr: -5, fcr_response_kw: 6 }, 6),
      "compound_breakdown_value_exceeds_total",
      "compound_breakdown",
    ],
    [
      "no part as large as the whole",
      compound(-5, { frr: -4, rr: -3 }),
      "compound_breakdown_max_mismatch",
      "compound_breakdown",
    ],
  ];
  test.each(CASES)("%s", (_, given, kind, parameter) => {
    const fault = checkAmounts(amounts(given));
    expect(fault).toMatchObject({ kind, parameter });
    expect(fault?.details).toContain(fault?.allowed);
  });

  test("several at once, for a file", () => {
    const found = findAmountFaults(amounts({ sku: "rr", delta: 1, width: 1, parts: { rr: 1 } }));
    expect(found.map(({ kind }) => kind)).toEqual(["fcr_response_kw_not_allowed", "compound_breakdown_not_allowed"]);
  });

  test("state the found and the allowed value", () => {
    const { details } = checkAmounts(amounts(compound(-5, { frr: -6, rr: -3 })))!;
    expect(details).toBe("compound_breakdown: found frr -6, allowed is parts of at most the delta_kw, 5.0 kW");
    expect(checkAmounts(amounts({ sku: "fcr", width: 2e6 }))?.validRange).toBe("0.0 to 999999.9");
  });
});
