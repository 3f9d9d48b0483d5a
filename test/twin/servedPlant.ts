import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import type { ServedScenario } from "../../src/live/session/servedScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { type ImportOptions, type ImportResult, importVpp } from "../../src/twin/importVpp.ts";
import { type LiveServer, startLiveServer } from "../http/liveServer.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

/** A served scenario at one of its instants, and imports of its VPP. */
export class ServedPlant {
  readonly live: LiveServer;

  private constructor(live: LiveServer) {
    this.live = live;
  }

  static async open(served: ServedScenario, at: string): Promise<ServedPlant> {
    const live = await startLiveServer({}, served);
    await live.session.advance(() => Date.parse(at));
    return new ServedPlant(live);
  }

  close(): Promise<void> {
    return this.live.close();
  }

  /** Of an import with the tokens of the VPP and of all sites. @param changes  options in the place of the usual ones */
  options(changes: Partial<ImportOptions> = {}): ImportOptions {
    const { session, baseUrl, authUrl } = this.live;
    const { world } = session.scenario;
    const [vpp] = world.vpps;
    const tokenOf = (name: string) => ({ token: this.live.refreshTokenOf(name), place: `token of ${name}` });
    return {
      baseUrl,
      authUrl,
      vppId: vpp.vppId,
      token: tokenOf(vpp.name),
      siteTokens: new Map(world.sites.map(({ name, emsId }) => [emsId, tokenOf(name)])),
      fromMs: null,
      toMs: null,
      timezone: "UTC",
      weather: null,
      out: join(createTemporaryFolder("twin"), "twin"),
      replaces: false,
      onProgress: () => {},
      onWait: () => {},
      warn: () => {},
      sleep: async () => {},
      ...changes,
    };
  }

  import(changes: Partial<ImportOptions> = {}): Promise<ImportResult> {
    return importVpp(this.options(changes));
  }
}

/** Runs a scenario. @returns its report: a file's rows, as objects */
export async function runReport(file: string): Promise<(name: string) => Record<string, string>[]> {
  const folder = join(createTemporaryFolder("report"), "report");
  await runScenario(loadScenario(file), { out: folder });
  return (name) => csvRows(readFileSync(join(folder, name), "utf8"));
}

export function csvRows(text: string): Record<string, string>[] {
  const [header, ...rows] = text.trimEnd().split("\n");
  const names = header.split(",");
  return rows.map((row) => Object.fromEntries(row.split(",").map((cell, k) => [names[k], cell])));
}

/** All files below a folder, by their paths in it. */
export function filesOf(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [relative(folder, path), readFileSync(path)] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
