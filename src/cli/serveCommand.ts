import { type AddressInfo, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import { builtPageFolder, readPageFiles } from "../api/http/builtPage.ts";
import { dashboardPlugin } from "../api/http/dashboard/dashboardPlugin.ts";
import { RecoveredCommandState } from "../api/http/recoveredCommandState.ts";
import { createSandboxAccess, type SandboxAccess } from "../api/http/sandbox/sandboxAccess.ts";
import { sandboxDescription } from "../api/http/sandbox/sandboxDocument.ts";
import { sandboxPlugin, sandboxRole } from "../api/http/sandbox/sandboxPlugin.ts";
import { buildServers, type Servers } from "../api/http/server.ts";
import { SitePortError, SitePorts } from "../api/http/sitePorts.ts";
import { remarkText } from "../inputs/scenario/checks/remark.ts";
import type { LiveGrades } from "../live/drill/liveGrades.ts";
import { readServedScenario, type ServedScenario } from "../live/session/servedScenario.ts";
import { Session } from "../live/session/session.ts";
import { ReportFolder } from "../platform/node/reportFolder.ts";
import { VERSION } from "../version.ts";
import { listenError } from "./listenError.ts";
import { openInBrowser } from "./openInBrowser.ts";
import { reportFailure } from "./reportFailure.ts";
import { journalNameOf, parseServeSettings, type ServeFlags, type ServeSettings } from "./serveFlags.ts";

/** `vppsim serve`: serves the three APIs until a signal stops it. */
export const serveCommand = (file: string, flags: ServeFlags): Promise<void> =>
  serveSession(readServedScenario(file), flags);

/** What a drill adds to a served session. */
interface DrillServing {
  readonly grades: LiveGrades;
  /** Watches the session before its servers listen. */
  watch(session: Session): Promise<void>;
  /** Called when the server is ready; `stop` ends it in order. */
  onReady(ready: ReadyLine, session: Session, stop: () => void): void;
  /** Called after the server has ended, before the session closes. */
  onEnd(session: Session): Promise<void>;
}

/** Serves a session until a signal, or the drill, stops it. */
export async function serveSession(
  served: ServedScenario,
  flags: ServeFlags,
  drill: DrillServing | null = null,
): Promise<void> {
  const settings = parseServeSettings(flags, served.scenario, journalNameOf(served));
  // Fails now, not at the end, if no report can be written there.
  if (flags.report !== undefined) {
    const journal = settings.journal.file === null ? [] : [settings.journal.file];
    new ReportFolder(flags.report, { inputs: [...served.scenario.inputFiles.keys(), ...journal] }).discard();
  }
  for (const remark of served.scenario.remarks) log(remarkText(remark));
  const shutdown = new Shutdown();
  const recovered = new RecoveredCommandState();
  const session = await Session.open({
    served,
    ...settings,
    warn,
    onRecovered: (command) => recovered.add(command),
    onFailure: (error) => shutdown.fail(error),
  });
  const access = accessOf(session, settings, drill);
  const sites = session.credentials.filter(({ kind }) => kind === "site");
  const sitePorts = flags.sitePorts === undefined ? null : new SitePorts(sites, flags.sitePorts);
  const servers = buildSessionServers(session, { flags, settings, access, drill, sitePorts });
  await drill?.watch(session);
  recovered.restoreTo(servers);
  try {
    await listen(servers, flags, sitePorts);
  } catch (error) {
    await session.close();
    throw error;
  }
  shutdown.onSignal();
  if (flags.paused !== true && !session.isResumed) await session.resume(settings.speed);
  const ready = readyLine(session, servers, flags.host);
  if (drill === null) process.stdout.write(`${JSON.stringify(ready)}\n`);
  if (settings.instructorToken === null)
    log(`the instructor's page is ${ready.base_url}/instructor, its token ${access.instructorToken}`);
  drill?.onReady(ready, session, () => shutdown.request());
  if (flags.open === true) await openInBrowser(ready.dashboard_url);
  await shutdown.requested;
  try {
    sitePorts?.close();
    await drain(servers, session);
    if (flags.report !== undefined && !shutdown.hasFailed) await session.writeReport(flags.report);
    if (!shutdown.hasFailed) await drill?.onEnd(session);
  } finally {
    await session.close();
    // The logger retries forever if its output cannot be written.
    setTimeout(() => process.exit(), LOG_FLUSH_MS).unref();
  }
}

/** A drill separates the trainee from the instructor. After its end the trainee may also write the report. */
function accessOf(session: Session, settings: ServeSettings, drill: DrillServing | null): SandboxAccess {
  const { sandboxToken, instructorToken } = settings;
  const tokens = { signingKey: session.signingKey, sandboxToken, instructorToken };
  if (drill === null) return createSandboxAccess(tokens);
  const { may, endMs, isForClients } = drill.grades.drill;
  const always = instructorToken === null && !isForClients ? [...may, "reset" as const] : may;
  return createSandboxAccess({
    ...tokens,
    isSeparated: true,
    traineeMay: () => (session.nowMs < endMs ? always : [...always, "report", "export"]),
  });
}

interface ServingParts {
  readonly flags: ServeFlags;
  readonly settings: ServeSettings;
  readonly access: SandboxAccess;
  readonly drill: DrillServing | null;
  readonly sitePorts: SitePorts | null;
}

function buildSessionServers(session: Session, { flags, settings, access, drill, sitePorts }: ServingParts): Servers {
  const { sandboxToken } = settings;
  const grades = drill === null ? {} : { grades: drill.grades };
  const servers: Servers = buildServers(session, {
    tokenKey: session.signingKey,
    rateLimits: flags.rateLimits,
    isSeparated: access.isSeparated,
    allowedHosts: settings.allowedHosts,
    ...(sitePorts === null ? {} : { sitePorts }),
    readerOf: (request) => sandboxRole(request, access),
    descriptions: [sandboxDescription(session)],
    plugins: [
      (server, _options, done) => {
        server.register(sandboxPlugin, { session, access, report: flags.report ?? null, sitePorts, ...grades });
        done();
      },
      dashboardPlugin({
        files: readPageFiles(builtPageFolder("dashboard")),
        version: VERSION,
        authPort: () => portOf(servers.auth),
        sessionOf: (request) => ({
          trainee_token: sandboxToken === null && sandboxRole(request, access) !== null ? access.traineeToken : null,
          separated: access.isSeparated,
          drill: drill?.grades.drill.name ?? null,
        }),
      }),
    ],
  });
  return servers;
}

/** Real milliseconds for writing the last lines of the log. */
const LOG_FLUSH_MS = 1_000;

const log = (text: string): void => void process.stderr.write(`vppsim: ${text}\n`);
const warn = (text: string): void => log(`warning: ${text}`);

/** A request to stop the server: by a signal, or by a failure outside any request. */
class Shutdown {
  hasFailed = false;
  readonly requested: Promise<void>;
  request: () => void = () => {};

  constructor() {
    this.requested = new Promise((resolve) => {
      this.request = resolve;
    });
  }

  /** The first signal starts an orderly shutdown; a second one of the same kind terminates the process. */
  onSignal(): void {
    process.once("SIGINT", () => this.request());
    process.once("SIGTERM", () => this.request());
  }

  fail(error: unknown): void {
    this.hasFailed = true;
    process.exitCode = reportFailure(error);
    this.request();
  }
}

async function listen(
  { base, auth }: Servers,
  { host, port, authPort }: ServeFlags,
  sitePorts: SitePorts | null,
): Promise<void> {
  for (const { server, flag, port: requestedPort } of [
    { server: base, flag: "--port", port },
    { server: auth, flag: "--auth-port", port: authPort },
  ]) {
    try {
      await server.listen({ host, port: requestedPort });
    } catch (error) {
      await Promise.all([base.close(), auth.close()]);
      throw listenError(flag, host, requestedPort, error as NodeJS.ErrnoException);
    }
  }
  try {
    await sitePorts?.listen(base, host);
  } catch (error) {
    await Promise.all([base.close(), auth.close()]);
    if (!(error instanceof SitePortError)) throw error;
    throw listenError(`--site-ports (site ${error.site})`, host, error.port, error.cause);
  }
}

/** What the server prints when it is ready. */
export type ReadyLine = ReturnType<typeof readyLine>;

function readyLine(session: Session, { base, auth }: Servers, host: string) {
  const { now, mode } = session.clock();
  const baseUrl = urlOf(base, host);
  return {
    ready: true,
    base_url: baseUrl,
    auth_url: urlOf(auth, host),
    dashboard_url: `${baseUrl}/`,
    now,
    mode,
    ...(session.isResumed ? { resumed: true } : {}),
  };
}

function urlOf(instance: FastifyInstance, host: string): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${portOf(instance)}`;
}

const portOf = ({ server }: FastifyInstance): number => (server.address() as AddressInfo).port;

/** Real milliseconds for completing pending responses. */
const DRAIN_TIMEOUT_MS = 5_000;

/** Stops accepting connections, pauses the clock, completes pending responses, then closes. */
async function drain(servers: Servers, session: Session): Promise<void> {
  for (const { server } of [servers.base, servers.auth]) server.close();
  const cancelTimer = setTimeout(() => session.cancel(), DRAIN_TIMEOUT_MS);
  // A failed session has already reported its error.
  await session.pause().catch(() => {});
  clearTimeout(cancelTimer);
  const untilMs = performance.now() + DRAIN_TIMEOUT_MS;
  while (servers.openRequestCount > 0 && performance.now() < untilMs)
    await new Promise((resolve) => setTimeout(resolve, 10));
  await Promise.all([servers.base.close(), servers.auth.close()]);
}
