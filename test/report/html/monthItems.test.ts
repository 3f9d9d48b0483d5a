import fc from "fast-check";
import { expect, test } from "vitest";
import type { InvoiceLine } from "../../../src/market/settlement.ts";
import { textsIn } from "../../../src/report/html/page/pageLocale.ts";
import { monthItems, monthItemTable } from "../../../src/report/html/sections/monthItems.ts";

const line = (month: string, item: string, amount: number, counterparty = "jepx"): InvoiceLine => ({
  month,
  counterparty,
  item,
  part: null,
  quantity: 0,
  unit: "",
  amount,
  amountRounded: Math.round(amount),
  taxAmount: 0,
});

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test("cells of a month and item add up as printed, without memos and the sum of cash", () => {
  const invoice = [
    line("2026-04", "spot", 10.4),
    line("2026-04", "jepx_fee", -0.4),
    line("2026-04", "total_cash", 10, "total"),
    line("2026-04", "degradation", -5, "memo"),
    line("2026-05", "spot", 20.4),
    line("2026-05", "jepx_fee", -0.4),
    line("2026-05", "total_cash", 20, "total"),
  ];
  const scale = { unit: "JPY", factor: 1, decimals: 0 };
  const found = monthItems(invoice, scale);
  // Of 30.8 and -0.8 of the items and 10 and 20 of the months: one of 10.4 and 20.4 is rounded up, with its month's fee at -1.
  expect(found).toEqual({
    months: ["2026-04", "2026-05"],
    items: ["spot", "jepx_fee"],
    steps: [
      [11, -1],
      [20, 0],
    ],
  });
  const { t } = textsIn("en");
  const { text } = monthItemTable(found, scale, { t, itemLabel: (item) => item });
  const cells = [...text.matchAll(/<td[^>]*>(?:<data[^>]*>)?([^<]*)/g)].map(([, cell]) => cell);
  expect(cells).toEqual(["spot", "11", "20", "31", "jepx_fee", "−1", "0", "−1", "Sum", "10", "20", "30"]);
});

test("of any invoices the sums are those of the printed cells, and the whole is the cash", () => {
  const amount = fc.double({ min: -1e9, max: 1e9, noNaN: true });
  const scaleOf = fc.constantFrom({ unit: "", factor: 1, decimals: 0 }, { unit: "", factor: 1e-6, decimals: 2 });
  fc.assert(
    fc.property(
      fc.array(fc.array(amount, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 13 }),
      scaleOf,
      (rows, scale) => {
        const invoice = rows.flatMap((row, k) =>
          row.map((value, item) => line(`2026-${10 + k}`, `item ${item}`, value)),
        );
        const { steps } = monthItems(invoice, scale);
        const perStep = scale.factor * 10 ** scale.decimals;
        const cash = sumOf(rows.map(sumOf)) * perStep;
        expect(Math.abs(sumOf(steps.map(sumOf)) - cash)).toBeLessThanOrEqual(0.5 + 1e-3);
        rows.forEach((row, k) => {
          expect(Math.abs(sumOf(steps[k]) - sumOf(row) * perStep)).toBeLessThanOrEqual(1 + 1e-3);
          row.forEach((value, item) => {
            expect(Math.abs(steps[k][item] - value * perStep)).toBeLessThanOrEqual(1 + 1e-3);
          });
        });
      },
    ),
  );
});

test("an item without amounts has no column, one without an amount in a month 0 there", () => {
  const invoice = ["2026-04", "2026-05", "2026-06"].flatMap((month) => [
    line(month, "spot", 0.7),
    line(month, "imbalance", 0),
    line(month, "jepx_fee", month === "2026-05" ? 0 : -1),
  ]);
  const { items, steps } = monthItems(invoice, { unit: "JPY", factor: 1, decimals: 0 });
  expect(items).toEqual(["spot", "jepx_fee"]);
  // 3 · 0.7 = 2.1 prints as 2, so that one of them is 0.
  expect(steps).toEqual([
    [0, -1],
    [1, 0],
    [1, -1],
  ]);
});
