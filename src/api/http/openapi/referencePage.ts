import { escapeHtml } from "../../../report/html/page/markup.ts";
import type { ApiName, Route } from "../../endpoints/route.ts";
import { PATH_PREFIXES } from "../paths.ts";
import { telemetrySection } from "../telemetry/telemetrySection.ts";
import { API_INFO } from "./openApiDocument.ts";

/** Values that the script of the page reads from it. */
interface PageSettings {
  readonly urls: readonly { readonly url: string; readonly name: string }[];
  readonly authUrl: string;
  /** Patterns of paths to which a POST may have an Idempotency-Key. */
  readonly keyedPaths: readonly string[];
}

interface PageContent {
  readonly authUrl: string;
  readonly descriptions: readonly { readonly name: string; readonly title: string }[];
  readonly routes: Readonly<Record<ApiName, readonly Route[]>>;
}

export const startSettings = ({ authUrl, descriptions, routes }: PageContent): PageSettings => ({
  urls: [
    ...Object.entries(API_INFO).map(([name, { title }]) => ({ name, title })),
    ...descriptions.map(({ name, title }) => ({ name, title })),
  ].map(({ name, title }) => ({ url: `/openapi/${name}.json`, name: title })),
  authUrl,
  keyedPaths: Object.values(routes)
    .flat()
    .filter(({ isIdempotent }) => isIdempotent === true)
    .map(({ api, path }) => `^${PATH_PREFIXES[api]}[^/]+${path}$`),
});

/** Only own resources and calls of the authentication host; the reference page has inline styles. */
export const contentSecurityPolicy = (authUrl: string): string =>
  `default-src 'self'; connect-src 'self' ${authUrl}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'`;

/** The page: Swagger UI for the APIs, and the telemetry as text. */
export const referencePage = (settings: PageSettings, asyncApi: object): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>vppsim APIs</title><link rel="stylesheet" href="/docs/swagger-ui.css">
<style>
#access, #sandbox, #telemetry, h1 { font-family: sans-serif; max-width: 1420px; margin: 1em auto; padding: 0 20px; }
#telemetry table { border-collapse: collapse; margin: 0.5em 0 1.5em; }
#telemetry th, #telemetry td { border: 1px solid #bbb; padding: 4px 8px; text-align: left; vertical-align: top; }
</style></head>
<body data-settings="${escapeHtml(JSON.stringify(settings))}">
<h1>vppsim APIs</h1>
<form id="access" hidden>
<label>Access token of <select id="holder"></select></label> <button>Get and use it</button>
<output id="token-state">Then "Try it out" calls with it. The telemetry is described <a href="#telemetry">below</a>.</output>
</form>
<form id="sandbox">
<label>Sandbox token <input id="sandbox-token" type="password" autocomplete="off"></label> <button>Use this token</button>
<output id="sandbox-state">Of the instructor, or of --sandbox-token; examples then have the ids that it may see.</output>
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
const { urls, authUrl, keyedPaths } = JSON.parse(document.body.dataset.settings);
const tokens = {};

/** Choosing another description forgets what was authorised. */
function useTokens() {
  for (const [scheme, token] of Object.entries(tokens)) ui.preauthorizeApiKey(scheme, token);
}

function newKey() {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return [...words].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function prepare(request) {
  const { origin, pathname } = new URL(request.url, location.href);
  if (origin !== location.origin) return request;
  request.headers ??= {};
  if (tokens.sandboxToken !== undefined && /^\\/(openapi|sandbox)\\//.test(pathname))
    request.headers["X-Sandbox-Token"] = tokens.sandboxToken;
  const isKeyed = request.method === "POST" && keyedPaths.some((path) => new RegExp(path).test(pathname));
  if (isKeyed) request.headers["Idempotency-Key"] ??= newKey();
  return request;
}

const ui = SwaggerUIBundle({
  dom_id: "#page",
  urls,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
  validatorUrl: null,
  requestInterceptor: prepare,
  onComplete: useTokens,
});

// The sandbox gives refresh tokens to callers on its own machine; for others the form stays hidden.
const form = document.getElementById("access");
const holder = document.getElementById("holder");
const state = document.getElementById("token-state");

async function offerTokens() {
  const { sandboxToken } = tokens;
  const headers = sandboxToken === undefined ? {} : { "x-sandbox-token": sandboxToken };
  const response = await fetch("/sandbox/credentials", { headers });
  if (!response.ok) return false;
  const { vpps, sites } = await response.json();
  holder.replaceChildren();
  for (const { name, vpp_id, ems_id, refresh_token } of [...vpps, ...sites]) {
    const kind = vpp_id === undefined ? "site" : "VPP";
    holder.append(new Option(kind + " " + name + " (" + (vpp_id ?? ems_id) + ")", refresh_token));
  }
  form.hidden = holder.options.length === 0;
  return true;
}

const sandboxForm = document.getElementById("sandbox");
const sandboxState = document.getElementById("sandbox-state");

async function useSandboxToken(event) {
  event.preventDefault();
  tokens.sandboxToken = document.getElementById("sandbox-token").value;
  const isValid = await offerTokens();
  if (!isValid) delete tokens.sandboxToken;
  sandboxState.textContent = isValid ? "In use" : "The sandbox does not accept this token";
  // The examples of the description that is shown.
  ui.specActions.download(ui.specSelectors.url());
}

async function useToken(event) {
  event.preventDefault();
  try {
    const headers = { authorization: "Bearer " + holder.value };
    const response = await fetch(authUrl + "/auth/refresh", { method: "POST", headers });
    const { access_token, error } = await response.json();
    if (!response.ok) throw new Error(error.message);
    Object.assign(tokens, { accessToken: access_token, refreshToken: holder.value });
    useTokens();
    state.textContent = "In use: " + holder.selectedOptions[0].text;
  } catch (error) {
    state.textContent = "No token: " + error.message;
  }
}

form.addEventListener("submit", useToken);
sandboxForm.addEventListener("submit", useSandboxToken);
offerTokens();
`;
