import { resolve } from "node:path";
import { roundTo } from "../base/rounding.ts";
import { itemTotals } from "../market/settlementSummary.ts";
import { formatFixed } from "../report/html/page/format.ts";
import { SLOTS_FILE } from "../report/settle/settlementSlots.ts";
import { type SettledReport, settleReport } from "../report/settle/settleReport.ts";
import { writeSettlement } from "../report/settle/writeSettlement.ts";
import { remarkText } from "../scenario/checks/remark.ts";
import { loadScenario } from "../scenario/loadScenario.ts";
import { colourOutput } from "./colourText.ts";

interface SettleFlags {
  readonly scenario: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** `vppsim settle`: settles a report by the prices and parameters of a scenario, without a new run. */
export async function settleCommand(report: string, flags: SettleFlags): Promise<void> {
  const scenario = loadScenario(flags.scenario);
  for (const remark of scenario.remarks) process.stderr.write(`${remarkText(remark)}\n`);
  const settled = settleReport(report, scenario);
  const inputs = [...scenario.inputFiles.keys(), resolve(report, SLOTS_FILE)];
  const folder = flags.out === undefined ? null : await writeSettlement(flags.out, settled, inputs);
  const { spec, settlement } = settled;
  if (flags.json === true) {
    const items = itemTotals(settlement).map(({ item, amount }) => [item, roundTo(amount, 3)]);
    const { parameterSet, area, market, unsure } = spec;
    const result = { report, parameters: parameterSet, area, currency: market.currency, unsure, folder };
    process.stdout.write(`${JSON.stringify({ ...result, items: Object.fromEntries(items) })}\n`);
    return;
  }
  process.stdout.write(colourOutput(settlementText(report, settled, folder)));
}

function settlementText(report: string, { spec, settlement }: SettledReport, folder: string | null): string {
  const totals = itemTotals(settlement);
  const width = 2 + Math.max(...totals.map(({ item }) => item.length));
  const currency = spec.market.currency.toUpperCase();
  const lines = totals.map(({ item, amount, counterparty }) => {
    const figure = `${formatFixed(amount, 3)} ${currency}`;
    return `  ${item.padEnd(width)}${figure.padStart(24)}${counterparty === "memo" ? "  (memo)" : ""}`;
  });
  const { unsure: names } = spec;
  const unsure = names.length === 0 ? [] : [`  note: ${names.length} values are assumptions: ${names.join(", ")}`];
  const written = folder === null ? [] : [`  report: ${folder}`];
  return `${[`${report}: ${spec.parameterSet}, area ${spec.area}`, "", ...lines, "", ...unsure, ...written].join("\n")}\n`;
}
