import { escapeHtml } from "../../../report/html/page/markup.ts";

type JsonObject = Readonly<Record<string, unknown>>;

interface Message {
  readonly name: string;
  readonly title: string;
  readonly payload: { readonly properties: Readonly<Record<string, JsonObject>> };
}

interface Channel {
  readonly address: string;
  readonly description: string;
  readonly messages: Readonly<Record<string, { readonly $ref: string }>>;
}

interface AsyncApi {
  readonly info: { readonly description: string };
  readonly servers: { readonly session: { readonly host: string } };
  readonly channels: Readonly<Record<string, Channel>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly securitySchemes: { readonly accessToken: { readonly description: string } };
  };
}

/** The AsyncAPI description as a section of the reference page. */
export function telemetrySection(document: object): string {
  const { info, servers, channels, components } = document as AsyncApi;
  const { messages, securitySchemes } = components;
  const addresses = Object.values(channels).map(({ address }) => `ws://${servers.session.host}${address}`);
  const sections = Object.values(channels).map((channel) => channelHtml(channel, servers.session.host, messages));
  return `<section id="telemetry">
<h2>Telemetry (WebSocket)</h2>
<p>${escapeHtml(info.description)} Access token: ${escapeHtml(securitySchemes.accessToken.description)}.
Machine-readable: <a href="/asyncapi.json">/asyncapi.json</a> (AsyncAPI 3.0).</p>
${sections.join("\n")}
<h3>To send: subscribe</h3>
<p>Without it all types are sent, and the status every 60 seconds of simulated time.</p>
${fieldsTable(messages.subscribe.payload.properties)}
<h3>To resume after a lost connection</h3>
<p>Store <code>session</code> of the last <code>hello</code> and <code>seq</code> of the last message. Connect again with both:
<code>${escapeHtml(addresses[0])}?session=5f0c…&amp;last_seq=42</code>. The messages from 43 on follow, with the same subscription and
without a new <code>hello</code>. The server keeps a session for 60 seconds of real time, with the last 256 messages; a <code>gap</code>
stands for older ones. If nothing is kept, after a restore or a reset, a <code>hello</code> with number 1 and a new <code>session</code>
follows: read the status and the schedules anew. After code 4498 (the token expired) get a token first.</p>
</section>`;
}

function channelHtml(
  { address, description, messages }: Channel,
  host: string,
  all: Readonly<Record<string, Message>>,
): string {
  const rows = Object.entries(messages)
    .filter(([type]) => type !== "subscribe")
    .map(([type, { $ref }]) => {
      const { title, payload } = all[$ref.slice($ref.lastIndexOf("/") + 1)];
      return `<tr><td><code>${escapeHtml(type)}</code></td><td>${escapeHtml(title)}</td><td>${fieldNames(payload.properties.data)}</td></tr>`;
    });
  return `<h3><code>ws://${escapeHtml(host + address)}</code></h3>
<p>${escapeHtml(description)}.</p>
<p>Each message is one JSON object with <code>seq</code>, <code>type</code>, <code>at</code> and <code>data</code>.</p>
<table><thead><tr><th>type</th><th>sent when: data</th><th>fields of data</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;
}

/** Names of a record's fields; of a union, those of any branch. */
function fieldNames(schema: JsonObject): string {
  const branches = (schema.anyOf ?? [schema]) as readonly JsonObject[];
  const names = branches.flatMap(({ properties }) => Object.keys(properties ?? {}));
  return [...new Set(names)].map((name) => `<code>${escapeHtml(name)}</code>`).join(", ");
}

function fieldsTable(properties: Readonly<Record<string, JsonObject>>): string {
  const rows = Object.entries(properties).map(([name, { description, const: value, minimum, maximum, items }]) => {
    const values = (items as { readonly enum?: readonly string[] } | undefined)?.enum;
    const allowed = [
      value === undefined ? "" : `"${value}"`,
      minimum === undefined ? "" : `${minimum} to ${maximum}`,
      values === undefined ? "" : `list of ${values.join(", ")}`,
      description ?? "",
    ];
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(allowed.filter((text) => text !== "").join("; "))}</td></tr>`;
  });
  return `<table><thead><tr><th>key</th><th>value</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table>`;
}
