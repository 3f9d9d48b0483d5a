import { type AddressInfo, createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ApiRefusal } from "../endpoints/shared/envelope.ts";
import type { ApiHost } from "./apiHost.ts";
import { locateRequest } from "./paths.ts";
import { sendAnswer } from "./reply.ts";
import { refusalAnswerAt } from "./transportErrors.ts";

/** A site with a port of its own. */
interface SiteAtPort {
  readonly name: string;
  readonly id: string;
}

/** A port at which no server can listen. */
export class SitePortError extends Error {
  readonly site: string;
  readonly port: number;
  override readonly cause: NodeJS.ErrnoException;

  constructor(site: string, port: number, cause: NodeJS.ErrnoException) {
    super(cause.message);
    this.site = site;
    this.port = port;
    this.cause = cause;
  }
}

const NOT_HERE: ApiRefusal = {
  kind: "endpoint_not_found",
  details: "The port of a site answers the site APIs of this site alone",
};

/** Connections of one port. */
const CONNECTIONS_MAX = 100;

/**
 * Ports of single sites: what is connected there is handled by the server at `base_url`, which answers the two site APIs for the
 * id of that site alone (docs/model/sandbox.md#site-ports). A port is a listening socket without server or timer of its own.
 */
export class SitePorts {
  private readonly sites: readonly SiteAtPort[];
  private readonly firstPort: number;
  private readonly listeners: Server[] = [];
  private readonly idsByPort = new Map<number, string>();
  private readonly portsById = new Map<string, number>();

  /** @param firstPort  of the first site; the others follow. 0: any free port for each */
  constructor(sites: readonly SiteAtPort[], firstPort: number) {
    this.sites = sites;
    this.firstPort = firstPort;
  }

  portOf(id: string): number | null {
    return this.portsById.get(id) ?? null;
  }

  /** Answers 404 at the port of a site to all but its own calls. */
  guard(server: FastifyInstance, host: Pick<ApiHost, "nowMs">): void {
    server.addHook("onRequest", ({ socket, url }, reply, done) => {
      if (this.allows(socket.localPort, url)) done();
      else sendAnswer(reply, refusalAnswerAt(url, NOT_HERE, host.nowMs));
    });
    server.server.prependListener("upgrade", (request) => {
      if (!this.allows(request.socket.localPort, request.url)) request.url = "/";
    });
  }

  private allows(port: number | undefined, url = ""): boolean {
    const id = this.idsByPort.get(port ?? -1);
    if (id === undefined) return true;
    const target = locateRequest(url);
    return target !== null && target.api !== "vpp-v1" && target.id === id;
  }

  /** @throws SitePortError; no port is open then */
  async listen({ server }: FastifyInstance, host: string): Promise<void> {
    for (const [k, { id, name }] of this.sites.entries()) {
      const port = this.firstPort === 0 ? 0 : this.firstPort + k;
      const listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit("connection", socket),
      );
      listener.maxConnections = CONNECTIONS_MAX;
      try {
        await new Promise<void>((resolve, reject) => {
          listener.once("error", reject);
          listener.listen(port, host, resolve);
        });
      } catch (error) {
        this.close();
        throw new SitePortError(name, port, error as NodeJS.ErrnoException);
      }
      this.listeners.push(listener);
      const given = (listener.address() as AddressInfo).port;
      this.idsByPort.set(given, id);
      this.portsById.set(id, given);
    }
  }

  /** Accepts no further connections. */
  close(): void {
    for (const listener of this.listeners.splice(0)) listener.close();
  }
}
