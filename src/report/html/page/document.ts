import { base64Text } from "../../../base/bytes.ts";
import { sha256 } from "../../../base/ids.ts";
import { BROWSER_SCRIPTS } from "../charts/browserScripts.ts";
import { INTERACTIVE_MARK } from "../charts/interactiveChart.ts";
import { html, type Markup, trustedMarkup } from "./markup.ts";
import type { PageTexts } from "./pageLocale.ts";
import { STYLESHEET } from "./stylesheet.ts";

export interface Section {
  readonly id: string;
  /** Short title for the list of contents. */
  readonly contentsTitle: string;
  readonly title: string;
  /** Empty: no introduction. */
  readonly intro: string;
  readonly body: Markup;
}

/** A section with one title for itself and the list of contents. */
export const section = (id: string, title: string, intro: string, body: Markup): Section => ({
  id,
  contentsTitle: title,
  title,
  intro,
  body,
});

/** Forbids loading anything and running other scripts: the page is complete in itself. */
function contentSecurityPolicy(scripts: readonly string[]): string {
  const hashes = scripts.map((script) => `'sha256-${base64Text(sha256(script))}'`);
  return `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashes.join(" ")}; img-src data:`;
}

/** A complete page: contents, header, sections, footer. It needs no network and can be read without scripts. */
export function renderDocument(page: {
  title: string;
  locale: PageTexts;
  header: Markup;
  sections: readonly Section[];
  footer: Markup;
}): string {
  const { language, t } = page.locale;
  const contents = t("page.contents");
  const hasTimeCharts = page.sections.some(({ body }) => body.text.includes(INTERACTIVE_MARK));
  const scripts = [BROWSER_SCRIPTS.page, ...(hasTimeCharts ? [BROWSER_SCRIPTS.timeCharts] : [])];
  const scriptElements = scripts.map((script) => trustedMarkup(`<script>${script}</script>\n`));
  const styles = `${hasTimeCharts ? BROWSER_SCRIPTS.timeChartStyles : ""}${STYLESHEET}`;
  return html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${trustedMarkup(contentSecurityPolicy(scripts))}">
<title>${page.title}</title>
<style>${trustedMarkup(styles)}</style>
</head>
<body>
<a class="skip" href="#main">${t("page.skip_contents")}</a>
<nav aria-label="${contents}"><details open><summary>${contents}</summary><ul>${page.sections.map(({ id, contentsTitle }) => html`<li><a href="#${id}">${contentsTitle}</a></li>`)}</ul></details></nav>
<div class="page">
<header class="top">${page.header}</header>
<main id="main">
${page.sections.map(sectionMarkup)}
</main>
<footer>${page.footer}</footer>
</div>
${scriptElements}</body>
</html>
`.text;
}

const sectionMarkup = ({
  id,
  title,
  intro,
  body,
}: Section): Markup => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${intro !== "" && html`<p class="muted">${intro}</p>`}
${body}
</section>
`;
