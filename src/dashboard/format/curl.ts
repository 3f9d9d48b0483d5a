import type { SentRequest } from "../data/sandboxCalls.ts";

/** Headers whose values are secrets, with what replaces the value. */
const SECRETS: Readonly<Record<string, string>> = {
  authorization: "Bearer $ACCESS_TOKEN",
  "x-sandbox-token": "$SANDBOX_TOKEN",
};

/** Text for a POSIX shell between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A header whose secret is in a shell variable is in double quotes. */
function headerText(name: string, value: string): string {
  const secret = SECRETS[name.toLowerCase()];
  return secret === undefined ? quoted(`${name}: ${value}`) : `"${name}: ${secret}"`;
}

/** The request as a command of curl. Tokens are shell variables, so that a copied command shows none. */
export function curlText({ method, url, headers, body }: SentRequest): string {
  return [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${headerText(name, value)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}
