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

/** Forbids loading anything: the page is complete in itself. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/** A complete page: header, list of contents, sections, footer. It needs no network; scripts only sort tables. */
export function renderDocument(page: {
  title: string;
  header: Markup;
  sections: readonly Section[];
  footer: Markup;
}): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">
<title>${page.title}</title>
<style>${trustedMarkup(STYLESHEET)}</style>
</head>
<body>
<header class="top">${page.header}</header>
<nav aria-label="Contents"><ul>${page.sections.map(({ id, contentsTitle }) => html`<li><a href="#${id}">${contentsTitle}</a></li>`)}</ul></nav>
<main>
${page.sections.map(sectionMarkup)}
</main>
<footer>${page.footer}</footer>
<script>${trustedMarkup(TABLE_SCRIPT)}</script>
</body>
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
