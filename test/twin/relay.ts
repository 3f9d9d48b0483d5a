import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What happens to a request on its way. */
export type Disturbance =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly type: string;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** The connection ends without an answer. */
  | { readonly kind: "reset" }
  /** The connection ends within the body. */
  | { readonly kind: "cut" }
  /** Half of the body arrives, as if it were the whole. */
  | { readonly kind: "half" }
  /** The body is changed. */
  | { readonly kind: "edit"; readonly edit: (body: string) => string };

/** A server before another one, which disturbs what passes. */
export class Relay {
  readonly url: string;
  /** Method and path of all requests. */
  readonly requests: string[] = [];
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** @param disturb  called with the number of the request, from 0; `null`: it passes */
  static async open(
    target: string,
    disturb: (number: number, path: string) => Disturbance | null = () => null,
  ): Promise<Relay> {
    let relay: Relay | null = null;
    const server = createServer(async (request, response) => {
      const path = request.url ?? "/";
      const number = relay!.requests.push(`${request.method} ${path}`) - 1;
      await pass(request, response, { target, disturbance: disturb(number, path) });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    relay = new Relay(server);
    return relay;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(() => done()));
  }
}

interface Passage {
  readonly target: string;
  readonly disturbance: Disturbance | null;
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { target, disturbance }: Passage,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (disturbance?.kind === "reset") return void request.socket.destroy();
  if (disturbance?.kind === "answer") {
    response.writeHead(disturbance.status, { "content-type": disturbance.type, ...disturbance.headers });
    return void response.end(disturbance.body);
  }
  const { authorization = "", "content-type": type } = request.headers;
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method,
    headers: { authorization, ...(type === undefined ? {} : { "content-type": type }) },
    body: request.method === "GET" || parts.length === 0 ? undefined : Buffer.concat(parts),
  });
  const text = await answer.text();
  const body = disturbance?.kind === "edit" ? disturbance.edit(text) : text;
  const kept = [...answer.headers].filter(([name]) => /^(content-type|x-ratelimit|retry-after)/.test(name));
  response.writeHead(answer.status, Object.fromEntries(kept));
  if (disturbance?.kind === "cut") {
    response.write(body.slice(0, body.length / 2));
    return void setImmediate(() => request.socket.destroy());
  }
  response.end(disturbance?.kind === "half" ? body.slice(0, body.length / 2) : body);
}
