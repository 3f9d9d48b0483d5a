// What a user of the package writes, in TypeScript: every published path has to resolve and to type-check.
import { loadScenario, runScenario } from "vppsim";
import { type ProjectRun, runProject } from "vppsim/browser";
import { ApiError, SiteV1Client, SiteV2Client, VppClient } from "vppsim/client";
import about from "vppsim/package.json" with { type: "json" };

const { record } = await runScenario(loadScenario("demo/scenario.yaml"));
const shortfallKwh: number | null | undefined = record.kpis.get("shortfall_kwh");
const vpp = new VppClient({ baseUrl: "http://localhost:1", authUrl: "http://localhost:2", id: "0", refreshToken: "0" });
const currentKw = async (): Promise<number | null> => (await vpp.status()).current_kw;

const inPage = (text: string): Promise<ProjectRun> =>
  runProject({ entry: "scenario.yaml", files: { "scenario.yaml": text } });

export { ApiError, about, currentKw, inPage, SiteV1Client, SiteV2Client, shortfallKwh };
