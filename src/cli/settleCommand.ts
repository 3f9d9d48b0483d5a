import { join } from "node:path";
import { roundTo } from "../base/rounding.ts";
import { remarkText } from "../inputs/scenario/checks/remark.ts";
import { loadScenario } from "../inputs/scenario/loadScenario.ts";
import { MEMO } from "../market/settlement.ts";
import { itemTotals } from "../market/settlementSummary.ts";
import { formatFixed } from "../report/html/page/format.ts";
import { currencyUnit } from "../report/html/page/money.ts";
import { type PageTexts, textsIn } from "../report/html/page/pageLocale.ts";
import { SETTLEMENT_PAGE } from "../report/html/page/settlementPage.ts";
import { inputDigests } from "../report/runJson.ts";
import { parameterSetTitle } from "../report/settle/settlementWords.ts";
import { type SettledReport, settleReport, writeSettlement } from "../report/settle/settleReport.ts";
import { colourOutput } from "./colourText.ts";
import { languageOf } from "./languageFlag.ts";

interface SettleFlags {
  readonly scenario: string;
  readonly out?: string;
  readonly json?: boolean;
  readonly lang?: string;
}

/** `vppsim settle`: settles a report by the prices and parameters of a scenario, without a new run. */
export async function settleCommand(report: string, flags: SettleFlags): Promise<void> {
  const lang = languageOf(flags.lang);
  const loaded = loadScenario(flags.scenario);
  const scenario = lang === undefined ? loaded : { ...loaded, language: lang };
  for (const remark of scenario.remarks) process.stderr.write(`${remarkText(remark)}\n`);
  const settled = settleReport(report, scenario);
  const folder = flags.out === undefined ? null : await writeSettlement(flags.out, settled, scenario);
  const inputs = inputDigests(scenario);
  const { spec, settlement } = settled;
  if (flags.json === true) {
    const items = itemTotals(settlement).map(({ item, amount }) => [item, roundTo(amount, 3)]);
    const { parameterSet, area, currency, unsure } = spec;
    const result = { report, parameters: parameterSet, area, currency: currency.toLowerCase(), unsure, inputs, folder };
    process.stdout.write(`${JSON.stringify({ ...result, items: Object.fromEntries(items) })}\n`);
    return;
  }
  process.stdout.write(
    colourOutput(settlementText(report, settled, { inputs, folder }, textsIn(scenario.language, spec.currency))),
  );
}

/** The kind of digest and 12 of its digits. */
const DIGEST_SHOWN = "sha256:".length + 12;

interface SettlementFiles {
  /** Digests by path. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly folder: string | null;
}

function settlementText(
  report: string,
  { spec, settlement }: SettledReport,
  { inputs, folder }: SettlementFiles,
  texts: PageTexts,
): string {
  const { t } = texts;
  const totals = itemTotals(settlement);
  const width = 2 + Math.max(...totals.map(({ item }) => item.length));
  const lines = totals.map(({ item, amount, counterparty }) => {
    const figure = `${formatFixed(amount, 3).padStart(20)} ${currencyUnit(texts)}`;
    return `  ${item.padEnd(width)}${figure}${counterparty === MEMO ? t("print.memo") : ""}`;
  });
  const { unsure: names } = spec;
  const unsure = names.length === 0 ? [] : [t("print.assumptions", { count: names.length, names: names.join(", ") })];
  const made = Object.entries(inputs).map(([file, digest]) =>
    t("print.input", { file, digest: digest.slice(0, DIGEST_SHOWN) }),
  );
  const written = folder === null ? [] : [t("print.report", { place: join(folder, SETTLEMENT_PAGE) })];
  const title = t("print.settled", { report, set: parameterSetTitle(spec.parameterSet, t), area: spec.area });
  return `${[title, "", ...lines, "", ...unsure, ...made, ...written].join("\n")}\n`;
}
