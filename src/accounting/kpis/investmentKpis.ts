import type { Kpi } from "./kpi.ts";

/** What the batteries cost and bring, with the key `investment` (docs/model/money.md#investment). */
export const INVESTMENT_KPIS = [
  {
    kind: "number",
    name: "investment_jpy",
    unit: "JPY",
    decimals: 0,
    direction: "less",
    basis: "investment",
    shows: { headline: null, terminal: 87, sideEffect: false },
    compute: ({ invested }) => invested?.investment ?? null,
  },
  {
    kind: "number",
    name: "yearly_margin_jpy",
    unit: "JPY",
    decimals: 0,
    direction: "more",
    basis: "investment",
    shows: { headline: null, terminal: 88, sideEffect: false },
    compute: ({ invested }) => invested?.yearlyMargin ?? null,
  },
  {
    kind: "number",
    name: "payback_years",
    unit: "a",
    decimals: 2,
    direction: "less",
    basis: "investment",
    shows: { headline: null, terminal: 89, sideEffect: true },
    compute: ({ invested }) => invested?.paybackYears ?? null,
  },
  {
    kind: "number",
    name: "npv_jpy",
    unit: "JPY",
    decimals: 0,
    direction: "more",
    basis: "investment",
    shows: { headline: null, terminal: 89.5, sideEffect: true },
    compute: ({ invested }) => invested?.netPresentValue ?? null,
  },
] as const satisfies readonly Kpi[];
