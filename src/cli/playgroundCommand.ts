import Fastify, { type FastifyInstance } from "fastify";
import { AllowedHosts } from "../api/http/allowedHosts.ts";
import { builtPageFolder, type PageFile, pageFilesPlugin, readPageFiles } from "../api/http/builtPage.ts";
import { inputRefusal } from "../base/inputError.ts";
import { projectJson } from "../browser/link.ts";
import { listenError } from "./listenError.ts";
import { openInBrowser } from "./openInBrowser.ts";
import { readScenarioProject } from "./scenarioProject.ts";

interface PlaygroundFlags {
  readonly port: number;
  readonly open?: boolean;
}

const HOST = "127.0.0.1";
/** The page opens it first; the built one is empty. */
const PROJECT_FILE = "project.json";

/** `vppsim playground`: serves the page, and one scenario for it, until a signal. */
export async function playgroundCommand(scenario: string | undefined, flags: PlaygroundFlags): Promise<void> {
  const files = readPageFiles(builtPageFolder("playground"));
  if (files.length === 0)
    throw inputRefusal("playground", "no page in dist/playground", "a built package: run npm run build once");
  const project = scenario === undefined ? null : projectJson(readScenarioProject(scenario));
  const server = createServer(files, project);
  const ended = new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
  const address = await server.listen({ host: HOST, port: flags.port }).catch((error) => {
    throw listenError("--port", HOST, flags.port, error);
  });
  const url = `${address}/`;
  process.stdout.write(`${JSON.stringify({ playground_url: url })}\n`);
  if (flags.open === true) await openInBrowser(url);
  await ended;
  await server.close();
}

/** @param project  what the page opens first, as JSON */
function createServer(built: readonly PageFile[], project: string | null): FastifyInstance {
  const server = Fastify({ forceCloseConnections: true });
  const allowedHosts = new AllowedHosts(HOST);
  server.addHook("onRequest", async (request, reply) => {
    const found = allowedHosts.foreignHostOf(request);
    if (found !== null) return reply.code(421).send({ error: `Found the Host ${found}, allowed ${HOST} or localhost` });
  });
  const files = built.map((file) =>
    file.path === PROJECT_FILE && project !== null ? { ...file, content: Buffer.from(project) } : file,
  );
  const pages = files.filter(({ path }) => path === "index.html").map((file) => ({ ...file, path: "" }));
  server.register(pageFilesPlugin([...files, ...pages], "/"));
  return server;
}
