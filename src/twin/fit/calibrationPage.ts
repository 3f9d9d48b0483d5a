// A calibration as one HTML file beside calibration.json (docs/model/twin.md#calibration-files).
import { isoUtc } from "../../base/time.ts";
import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { dataTable, type TableColumn } from "../../report/html/page/dataTable.ts";
import { renderDocument, type Section, section } from "../../report/html/page/document.ts";
import { html, type Markup } from "../../report/html/page/markup.ts";
import type { PageLocale } from "../../report/html/page/pageLocale.ts";
import { footerOf, headerOf } from "../../report/html/page/reportPage.ts";
import { VERSION } from "../../version.ts";
import type { Calibration } from "./calibrate.ts";
import { type CalibrationSource, printedValue } from "./calibrationFiles.ts";

type Parameter = Calibration["parameters"][number];

/** A self-contained page: equal input gives equal bytes, and no external resource is loaded. */
export function renderCalibrationHtml(
  calibration: Calibration,
  source: CalibrationSource,
  scenario: Scenario,
  locale: PageLocale,
): string {
  const { t } = locale;
  const { name, description, timezone, language, hash, world } = scenario;
  const { fromMs: startMs, toMs: endMs } = source.period;
  const origin = {
    scenario: { name, description, timezone, language, hash, seed: world.seed, startMs, endMs },
    version: VERSION,
  };
  return renderDocument({
    title: t("calibration.title", { scenario: name }),
    locale,
    header: headerOf(origin, locale, t("calibration.brand")),
    sections: [
      identifiedSection(calibration, source, locale),
      missingSection(calibration, locale),
      fitsSection(calibration, locale),
      filesSection(source, locale),
    ],
    footer: footerOf(origin, locale),
  });
}

const code = (text: string): Markup => html`<code>${text}</code>`;
const numberOf = (value: number | string | null): string => (value === null ? "" : String(printedValue(value)));

function parameterColumns({ t }: PageLocale): TableColumn<Parameter>[] {
  return [
    { title: t("calibration.site"), cell: ({ site }) => site },
    { title: t("calibration.parameter"), cell: ({ parameter }) => code(parameter) },
    { title: t("calibration.before"), align: "right", cell: ({ before }) => numberOf(before) },
  ];
}

function identifiedSection({ parameters }: Calibration, { level }: CalibrationSource, locale: PageLocale): Section {
  const { t } = locale;
  const rows = parameters.filter(({ value }) => value !== null);
  const columns: TableColumn<Parameter>[] = [
    ...parameterColumns(locale),
    { title: t("calibration.value"), align: "right", cell: ({ value }) => html`<b>${numberOf(value)}</b>` },
    { title: t("calibration.low"), align: "right", cell: ({ low }) => numberOf(low) },
    { title: t("calibration.high"), align: "right", cell: ({ high }) => numberOf(high) },
    { title: t("calibration.unit"), cell: ({ unit }) => unit },
    { title: t("calibration.samples"), align: "right", cell: ({ samples }) => String(samples) },
    { title: t("calibration.note"), cell: ({ why }) => why ?? "" },
  ];
  const title = t("calibration.identified");
  return section(
    "identified",
    title,
    t("calibration.identified_intro", { percent: String(printedValue(100 * level)) }),
    dataTable(title, rows, columns),
  );
}

function missingSection({ parameters }: Calibration, locale: PageLocale): Section {
  const { t } = locale;
  const rows = parameters.filter(({ value }) => value === null);
  const columns: TableColumn<Parameter>[] = [
    ...parameterColumns(locale),
    { title: t("calibration.why"), cell: ({ why }) => why ?? "" },
  ];
  const title = t("calibration.missing");
  return section("missing", title, t("calibration.missing_intro"), dataTable(title, rows, columns));
}

function fitsSection({ fits }: Calibration, { t }: PageLocale): Section {
  const columns: TableColumn<Calibration["fits"][number]>[] = [
    { title: t("calibration.site"), cell: ({ site }) => site },
    { title: t("calibration.quantity"), cell: ({ quantity }) => code(quantity) },
    { title: t("calibration.error_before"), align: "right", cell: ({ maeBefore }) => maeBefore.toPrecision(3) },
    { title: t("calibration.error_after"), align: "right", cell: ({ maeAfter }) => maeAfter.toPrecision(3) },
    { title: t("calibration.unit"), cell: ({ unit }) => unit },
    { title: t("calibration.samples"), align: "right", cell: ({ rows }) => String(rows) },
  ];
  const title = t("calibration.fits");
  return section("fits", title, t("calibration.fits_intro"), dataTable(title, fits, columns));
}

function filesSection({ files }: CalibrationSource, { t }: PageLocale): Section {
  const columns: TableColumn<CalibrationSource["files"][number]>[] = [
    { title: t("calibration.file"), cell: ({ file }) => file },
    { title: t("calibration.from"), cell: ({ fromMs }) => isoUtc(fromMs) },
    { title: t("calibration.to"), cell: ({ toMs }) => isoUtc(toMs) },
    { title: t("calibration.rows"), align: "right", cell: ({ rows }) => String(rows) },
  ];
  const title = t("calibration.files");
  return section("files", title, "", dataTable(title, files, columns));
}
