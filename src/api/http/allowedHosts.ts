import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { singleHeader } from "./reply.ts";

/** Names that denote this machine independently of name resolution. */
export const isLoopbackName = (name: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(name);

/** Whether a Host header names this machine, with or without a port. */
export function isLoopbackHost(header: string | undefined): boolean {
  const name = hostNameOf(header);
  return name !== null && isLoopbackName(name);
}

/** Listening addresses that stand for all addresses of the machine. */
const isWildcard = (address: string): boolean => address === "0.0.0.0" || /^[0:]*:[0:]*$/.test(address);

/** Whether a text can be the name in a Host header. */
export const isHostName = (text: string): boolean => isIP(text) === 6 || hostNameOf(text) === text.toLowerCase();

/** The name of a Host header in lower case, without port and brackets; `null` for text that is none. */
function hostNameOf(header: string | undefined): string | null {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(header ?? "");
  return found === null ? null : (found[1] ?? found[2]).toLowerCase();
}

/**
 * The names by which clients may address the servers (docs/model/sandbox.md#host-header).
 *
 * A web page can point a name of its own domain at this machine (DNS rebinding) and read the answers as if they were
 * its own. Its requests then have that name in the Host header.
 */
export class AllowedHosts {
  private readonly names: ReadonlySet<string>;
  private readonly allowsAddresses: boolean;

  /**
   * @param listenAddress  `--host`; for all addresses (`0.0.0.0`, `::`) each IP address is allowed, because only a name
   *   can be rebound
   * @param furtherNames  `--allow-host`
   */
  constructor(listenAddress: string, furtherNames: readonly string[] = []) {
    this.allowsAddresses = isWildcard(listenAddress);
    this.names = new Set(
      [listenAddress, ...furtherNames].map((name) => name.toLowerCase().replace(/^\[(.*)\]$/, "$1")),
    );
  }

  /** The name to which a request was sent, if it is none of this server; without one `null`, as HTTP/1.0 allows. */
  foreignHostOf({ url, raw }: FastifyRequest): string | null {
    // Of a request with an absolute URL, the host is in the URL.
    const host = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? singleHeader(raw, "host");
    if (host === undefined || (host !== null && this.allows(host))) return null;
    return host ?? "header twice";
  }

  /** Whether a Host header has a name of this server. */
  allows(header: string | undefined): boolean {
    const name = hostNameOf(header);
    if (name === null) return false;
    return this.names.has(name) || isLoopbackName(name) || (this.allowsAddresses && isIP(name) !== 0);
  }

  /** Reason for a refusal. */
  refusalText(header: string | undefined): string {
    const found = header === undefined ? "(none)" : header.slice(0, HEADER_SHOWN_MAX);
    return `Found the Host ${found}, allowed the name or address in --host, localhost, or a name of --allow-host`;
  }
}

/** Headers in refusals are truncated, so that an answer is never as long as its request. */
const HEADER_SHOWN_MAX = 80;
