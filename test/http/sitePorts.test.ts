import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandboxAccess } from "../../src/api/http/sandbox/sandboxAccess.ts";
import { sandboxPlugin } from "../../src/api/http/sandbox/sandboxPlugin.ts";
import { buildServers } from "../../src/api/http/server.ts";
import { SitePortError, SitePorts } from "../../src/api/http/sitePorts.ts";
import { openTinySession } from "../session/openTinySession.ts";

const HOST = "127.0.0.1";

/** The tiny session with a port for each of its sites, and servers that do not listen yet. */
async function serve(firstPort = 0) {
  const session = await openTinySession();
  const sites = session.credentials.filter(({ kind }) => kind === "site");
  const sitePorts = new SitePorts(sites, firstPort);
  const access = createSandboxAccess({ signingKey: session.signingKey, sandboxToken: null, instructorToken: null });
  const servers = buildServers(session, {
    tokenKey: session.signingKey,
    rateLimits: "on",
    logLevel: "silent",
    sitePorts,
    plugins: [
      (server, _options, done) => {
        server.register(sandboxPlugin, { session, access, report: null, sitePorts });
        done();
      },
    ],
  });
  const close = async () => {
    sitePorts.close();
    await Promise.all([servers.base.close(), servers.auth.close()]);
    await session.close();
  };
  return { session, sites, sitePorts, ...servers, close };
}

type Served = Awaited<ReturnType<typeof serve>>;
let served: Served;
let baseUrl: string;
let authUrl: string;

beforeAll(async () => {
  served = await serve();
  baseUrl = await served.base.listen({ host: HOST, port: 0 });
  authUrl = await served.auth.listen({ host: HOST, port: 0 });
  await served.sitePorts.listen(served.base, HOST);
});
afterAll(() => served.close());

async function signIn(refreshToken: string): Promise<{ readonly authorization: string }> {
  const headers = { authorization: `Bearer ${refreshToken}` };
  const answer = await fetch(`${authUrl}/auth/refresh`, { method: "POST", headers });
  const { access_token } = (await answer.json()) as { readonly access_token: string };
  return { authorization: `Bearer ${access_token}` };
}

interface ListedSite {
  readonly name: string;
  readonly ems_id: string;
  readonly refresh_token: string;
  readonly base_url: string;
}

async function listedSites(): Promise<readonly ListedSite[]> {
  const answer = await fetch(`${baseUrl}/sandbox/credentials`);
  return ((await answer.json()) as { readonly sites: readonly ListedSite[] }).sites;
}

test("each site answers at its own base URL with its own id, in both site APIs", async () => {
  const sites = await listedSites();
  expect(sites.length).toBeGreaterThan(1);
  expect(new Set(sites.map(({ base_url }) => base_url)).size).toBe(sites.length);
  for (const { ems_id, refresh_token, base_url } of sites) {
    const headers = await signIn(refresh_token);
    const paths = [`/v2/ems/${ems_id}/status`, `/v1/ems/${ems_id}/fcr/config`];
    const answers = await Promise.all(paths.map((path) => fetch(base_url + path, { headers })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(bodies.map((body) => (body as { readonly ems_id: string }).ems_id)).toEqual([ems_id, ems_id]);
  }
});

test("at the port of a site all else is 404, and all of it answers at the base URL of the session", async () => {
  const [own, other] = await listedSites();
  const headers = await signIn(other.refresh_token);
  const vppId = served.session.credentials.find(({ kind }) => kind === "vpp")?.id ?? "";
  const vppToken = served.session.credentials.find(({ kind }) => kind === "vpp")?.refreshToken ?? "";
  const statuses = async (path: string, sent: Record<string, string>) => {
    const answers = await Promise.all([own.base_url, baseUrl].map((url) => fetch(url + path, { headers: sent })));
    return answers.map(({ status }) => status);
  };
  expect(await statuses(`/v2/ems/${other.ems_id}/status`, headers)).toEqual([404, 200]);
  expect(await statuses(`/v1/vpp/${vppId}/status`, await signIn(vppToken))).toEqual([404, 200]);
  expect(await statuses("/sandbox/credentials", {})).toEqual([404, 200]);
  expect(await statuses("/health", {})).toEqual([404, 200]);
});

test("a port in use is named with its site, and no port stays open", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, HOST, resolve));
  const { port } = taken.address() as { readonly port: number };
  const second = await serve(port - 1);
  await second.base.listen({ host: HOST, port: 0 });
  const error = await second.sitePorts.listen(second.base, HOST).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SitePortError);
  // The port before it may be in use by others.
  const { site, port: refused, cause } = error as SitePortError;
  expect(second.sites[refused - (port - 1)].name).toBe(site);
  expect(cause.code).toBe("EADDRINUSE");
  expect(second.sites.map(({ id }) => second.sitePorts.portOf(id)).slice(1)).not.toContain(port);
  await second.close();
  taken.close();
});

test("a hundred sites add no timer", async () => {
  const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const sites = Array.from({ length: 100 }, (_, k) => ({ name: `s${k}`, id: String(k).padStart(32, "0") }));
  const ports = new SitePorts(sites, 0);
  const before = countTimers();
  await ports.listen(served.base, HOST);
  expect(countTimers()).toBeLessThanOrEqual(before);
  expect(new Set(sites.map(({ id }) => ports.portOf(id))).size).toBe(100);
  ports.close();
});
