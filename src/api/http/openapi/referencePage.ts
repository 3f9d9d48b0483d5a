import { escapeHtml } from "../../../report/html/page/markup.ts";
import { telemetrySection } from "../telemetry/telemetrySection.ts";
import { API_INFO } from "./openApiDocument.ts";

/** Values that the script of the page reads from it. */
interface PageSettings {
  readonly urls: readonly { readonly url: string; readonly name: string }[];
  readonly authUrl: string;
}

export const startSettings = (
  authUrl: string,
  descriptions: readonly { readonly name: string; readonly title: string }[],
): PageSettings => ({
  urls: [
    ...Object.entries(API_INFO).map(([name, { title }]) => ({ name, title })),
    ...descriptions.map(({ name, title }) => ({ name, title })),
  ].map(({ name, title }) => ({ url: `/openapi/${name}.json`, name: title })),
  authUrl,
});

/** Only own resources and calls of the authentication host; the reference page has inline styles. */
export const contentSecurityPolicy = (authUrl: string): string =>
  `default-src 'self'; connect-src 'self' ${authUrl}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'`;

/** The page: Swagger UI for the APIs, and the telemetry as text. */
export const referencePage = (settings: PageSettings, asyncApi: object): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>vppsim APIs</title><link rel="stylesheet" href="/docs/swagger-ui.css">
<style>
#access, #telemetry { font-family: sans-serif; max-width: 1420px; margin: 1em auto; padding: 0 20px; }
#telemetry table { border-collapse: collapse; margin: 0.5em 0 1.5em; }
#telemetry th, #telemetry td { border: 1px solid #bbb; padding: 4px 8px; text-align: left; vertical-align: top; }
</style></head>
<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<form id="access" hidden>
<label>Access token of <select id="holder"></select></label> <button>Get and use it</button>
<output id="token-state">Then "Try it out" calls with it. The telemetry is described <a href="#telemetry">below</a>.</output>
</form>
<div id="page"></div>
${telemetrySection(asyncApi)}
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

export const START_SCRIPT = `"use strict";
const { urls, authUrl } = JSON.parse(document.body.dataset.settings);
const ui = SwaggerUIBundle({
  dom_id: "#page",
  urls,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
  validatorUrl: null,
});

// The sandbox gives refresh tokens to callers on its own machine; for others the form stays hidden.
const form = document.getElementById("access");
const holder = document.getElementById("holder");
const state = document.getElementById("token-state");

async function offerTokens() {
  const response = await fetch("/sandbox/credentials");
  if (!response.ok) return;
  const { vpps, sites } = await response.json();
  for (const { name, vpp_id, ems_id, refresh_token } of [...vpps, ...sites]) {
    const kind = vpp_id === undefined ? "site" : "VPP";
    holder.append(new Option(kind + " " + name + " (" + (vpp_id ?? ems_id) + ")", refresh_token));
  }
  form.hidden = holder.options.length === 0;
}

async function useToken(event) {
  event.preventDefault();
  try {
    const headers = { authorization: "Bearer " + holder.value };
    const response = await fetch(authUrl + "/auth/refresh", { method: "POST", headers });
    const { access_token, error } = await response.json();
    if (!response.ok) throw new Error(error.message);
    ui.preauthorizeApiKey("accessToken", access_token);
    ui.preauthorizeApiKey("refreshToken", holder.value);
    state.textContent = "In use: " + holder.selectedOptions[0].text;
  } catch (error) {
    state.textContent = "No token: " + error.message;
  }
}

form.addEventListener("submit", useToken);
offerTokens();
`;
