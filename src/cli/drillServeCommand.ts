import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { type InputErrors, inputRefusal } from "../base/inputError.ts";
import { isoUtc } from "../base/time.ts";
import { ClientDrill } from "../live/drill/clientDrill.ts";
import type { Drill } from "../live/drill/drill.ts";
import { LiveGrades } from "../live/drill/liveGrades.ts";
import { drillFileOf, readDrill } from "../live/drill/readDrill.ts";
import type { Session } from "../live/session/session.ts";
import { realPath } from "../platform/node/realPath.ts";
import { drillScriptCommand, type GradeFlags, gradeOutput, writeGrade } from "./drillCommand.ts";
import { traineeEnvironment } from "./secretFlags.ts";
import { type ReadyLine, serveSession } from "./serveCommand.ts";
import { journalFileOf, journalNameOf, type ServeFlags } from "./serveFlags.ts";

type DrillServeFlags = ServeFlags & GradeFlags;

/** Real milliseconds between reads of the clock of a drill. */
const POLL_MS = 100;

/** `vppsim drill serve`: serves a drill until a signal stops it, then grades the attempt. */
export function drillServeCommand(nameOrFile: string, flags: DrillServeFlags): Promise<void> {
  const drill = readDrill(drillFileOf(nameOrFile));
  return serveDrill(drill, flags, (ready) => process.stdout.write(`${JSON.stringify(ready)}\n`));
}

/** `vppsim drill run`: runs a drill to its end with a person in the browser, a program or a script as its trainee. */
export async function drillRunCommand(
  nameOrFile: string,
  program: readonly string[],
  flags: DrillServeFlags & { readonly script?: string },
): Promise<void> {
  const { script } = flags;
  if (script !== undefined) return drillScriptCommand(nameOrFile, { ...flags, script });
  const drill = readDrill(drillFileOf(nameOrFile));
  if (program.length > 0) return runProgram(drill, program, flags);
  if (drill.isForClients) throw missingProgram(drill);
  return serveDrill(drill, flags, (ready, session, stop) => {
    process.stderr.write(`vppsim: ${drill.title.en}: open ${ready.dashboard_url} and start the clock\n`);
    stopAtEnd(drill, session, stop);
  });
}

function missingProgram({ name }: Drill): InputErrors {
  const allowed = `a program that is the trainee, as in: vppsim drill run ${name} -- node my-client.js`;
  return inputRefusal("vppsim drill run", "no program", allowed);
}

/** Runs the clock while the program runs, and ends the program at the end of the drill. */
function runProgram(drill: Drill, [command, ...args]: readonly string[], flags: DrillServeFlags): Promise<void> {
  const running = { speed: flags.speed ?? String(drill.speed), paused: false, journal: false } as const;
  return serveDrill(drill, { ...flags, ...running }, (ready, session, stop) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...traineeEnvironment(process.env), ...programEnvironment(session, ready) },
    });
    child.once("error", (error) => {
      process.stderr.write(`vppsim: ${command}: ${error.message}\n`);
      stop();
    });
    child.once("exit", (code, signal) => {
      const end = code === null ? `was ended by ${signal}` : `ended with status ${code}`;
      if (code !== 0 && !child.killed) process.stderr.write(`vppsim: ${command} ${end}\n`);
      // The rest of the drill is simulated at full speed, with the instructions given so far.
      finish(drill, session).then(stop, stop);
    });
    stopAtEnd(drill, session, () => child.kill());
  });
}

/** Environment variables with the addresses, the id and the token that a client of the server needs. */
function programEnvironment(session: Session, { base_url, auth_url }: ReadyLine): Record<string, string> {
  const [vpp] = session.credentials.filter(({ kind }) => kind === "vpp");
  return {
    VPPSIM_BASE_URL: base_url,
    VPPSIM_SPEED: String(session.clock().speed),
    VPPSIM_AUTH_URL: auth_url,
    VPPSIM_VPP_ID: vpp?.id ?? "",
    VPPSIM_REFRESH_TOKEN: vpp?.refreshToken ?? "",
  };
}

async function finish(drill: Drill, session: Session): Promise<void> {
  await session.pause();
  if (session.nowMs < drill.endMs) await session.advance(() => drill.endMs);
}

function stopAtEnd({ endMs }: Drill, session: Session, stop: () => void): void {
  const timer = setInterval(() => {
    if (session.nowMs < endMs) return;
    clearInterval(timer);
    stop();
  }, POLL_MS);
  timer.unref();
}

function serveDrill(
  drill: Drill,
  flags: DrillServeFlags,
  onReady: (ready: ReadyLine, session: Session, stop: () => void) => void,
): Promise<void> {
  const client = drill.isForClients ? new ClientDrill(drill.startMs) : null;
  if (
    flags.out !== undefined &&
    flags.report !== undefined &&
    realPath(resolve(flags.out)) === realPath(resolve(flags.report))
  )
    throw inputRefusal("--out", `${flags.out}, the folder of --report`, "another folder: each replaces what is in it");
  const journal = journalFileOf(flags, journalNameOf(drill.served));
  const output = gradeOutput(drill, flags, journal === null ? [] : [journal]);
  const grades = new LiveGrades(drill, { trainee: output.trainee, clientFigures: () => client?.figures() });
  // The trainee starts the clock after reading the briefing.
  const start = flags.speed === undefined ? { paused: true, speed: String(drill.speed) } : {};
  return serveSession(
    drill.served,
    { ...flags, ...start, openAt: isoUtc(drill.startMs) },
    {
      grades,
      watch: async (session) => client?.attach(session),
      onReady,
      onEnd: async (session) => {
        const readExport = async () => Buffer.from([...session.exportParts()].join(""));
        writeGrade(await grades.grade(readExport, flags.lang ?? "en"), output, flags);
        await grades.close();
      },
    },
  );
}
