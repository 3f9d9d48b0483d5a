import { createSha256 } from "../../../base/ids.ts";
import { type Language, type LocalText, textIn } from "../../../base/language.ts";
import { readTimeChartScripts, readTimeChartStyles, readTipScript } from "../charts/browserScripts.ts";
import { INTERACTIVE_MARK } from "../charts/interactiveChart.ts";
import { TABLE_SCRIPT } from "./dataTable.ts";
import { html, type Markup, trustedMarkup } from "./markup.ts";
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

/** Forbids loading anything and running other scripts: the page is complete in itself. */
function contentSecurityPolicy(scripts: readonly string[]): string {
  const hashes = scripts.map((script) => `'sha256-${createSha256().update(script).digest("base64")}'`);
  return `default-src 'none'; style-src 'unsafe-inline'; script-src ${hashes.join(" ")}; img-src data:`;
}

/**
 * On a wide page the contents are a column of their own, always open. On a narrow one they are a bar that opens on
 * click; without the script they stand open at the top of the page. The section being read is marked.
 */
const CONTENTS_SCRIPT = `document.documentElement.classList.add("js");
{
  const contents = document.querySelector("nav details");
  const isWide = matchMedia("(min-width:1101px)");
  const adapt = () => { contents.open = isWide.matches; };
  adapt();
  isWide.addEventListener("change", adapt);
  const links = [...contents.querySelectorAll("a")];
  for (const link of links) link.addEventListener("click", adapt);
  const sections = links.map((link) => document.getElementById(link.hash.slice(1)));
  const mark = () => {
    let current = 0;
    sections.forEach((section, k) => { if (section.getBoundingClientRect().top <= 120) current = k; });
    links.forEach((link, k) => {
      if (k === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  mark();
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
}
`;

const CONTENTS: LocalText = { en: "Contents", ja: "目次" };
const SKIP_CONTENTS: LocalText = { en: "Skip the contents", ja: "目次を飛ばす" };

/** A complete page: contents, header, sections, footer. It needs no network and can be read without scripts. */
export function renderDocument(page: {
  title: string;
  /** Default: English. */
  language?: Language;
  header: Markup;
  sections: readonly Section[];
  footer: Markup;
}): string {
  const { language = "en" } = page;
  const contents = textIn(CONTENTS, language);
  const has = (mark: string): boolean => page.sections.some(({ body }) => body.text.includes(mark));
  const hasTimeCharts = has(INTERACTIVE_MARK);
  const scripts = [
    `${CONTENTS_SCRIPT}${TABLE_SCRIPT}`,
    ...(has("<figure") ? [readTipScript()] : []),
    ...(hasTimeCharts ? readTimeChartScripts() : []),
  ];
  const scriptElements = scripts.map((script) => trustedMarkup(`<script>${script}</script>\n`));
  const styles = `${hasTimeCharts ? readTimeChartStyles() : ""}${STYLESHEET}`;
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
<a class="skip" href="#main">${textIn(SKIP_CONTENTS, language)}</a>
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
