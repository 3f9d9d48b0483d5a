import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runVppsim } from "../cli/runVppsim.ts";
import { requestJson, startServer } from "../cli/serveProcess.ts";
import { BATTERY_YAML, SCENARIO_HEAD, SMALL_SCENARIO } from "../scenario/scenarioFixtures.ts";
import { writeTinyScenario } from "../session/tinyScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { checkWhole } from "./wholeReport.ts";

/** Heap of the command in MB. */
const HEAP = { NODE_OPTIONS: "--max-old-space-size=400" };
/** Problems that are shown of each kind. */
const SHOWN = 5;

describe("the built command refuses in bounded memory, with the first places and the number of the others,", () => {
  const folder = createTemporaryFolder("many-keys");

  test("a scenario of 160,000 unknown keys", () => {
    const file = join(folder, "keys.yaml");
    const keys = Array.from({ length: 160_000 }, (_, k) => `key${k}: ${k}\n`);
    writeFileSync(file, `${SMALL_SCENARIO}${keys.join("")}`);
    const { status, stderr } = runVppsim(["validate", file], { env: HEAP });
    expect(status).toBe(2);
    expect(stderr.match(/: key\d+: found an unknown key/g)).toHaveLength(SHOWN);
    expect(stderr).toContain(`… and ${160_000 - SHOWN} more\n160000 errors`);
  });

  test("a table of 400,000 wrong awards", () => {
    const [file, table] = [join(folder, "rows.yaml"), join(folder, "awards.csv")];
    const count = 400_000;
    const fd = openSync(table, "w");
    writeSync(fd, "award_id,vpp,sku,start,end,delta_kw\n");
    for (let k = 0; k < count; k += 10_000)
      writeSync(
        fd,
        Array.from({ length: 10_000 }, (_, j) => `a${k + j},nobody,none,2026-04-01T00:00:00Z,later,x\n`).join(""),
      );
    closeSync(fd);
    writeFileSync(
      file,
      `${SCENARIO_HEAD}sites:
  - name: b
    components: [${BATTERY_YAML}]
vpps:
  - {name: east, members: [{site: b, resource_type: battery}]}
awards:
  - {file: awards.csv}
`,
    );
    const { status, stderr } = runVppsim(["validate", file], { env: HEAP });
    expect(status).toBe(2);
    expect(stderr.split("\n").length).toBeLessThan(100);
    expect(stderr).toContain(`… and ${count - SHOWN} more`);
  });
});

test("refused bodies of 50,000 unknown keys change no report that is written meanwhile, and /health answers", async () => {
  const cwd = createTemporaryFolder("many-keys-live");
  const server = await startServer(cwd, writeTinyScenario(cwd), "--paused", "--no-journal", "--report", "report");
  const url = server.at.base_url;
  await requestJson("POST", `${url}/sandbox/clock/advance`, { by: "PT6H" });
  const written = async () => {
    expect((await requestJson("POST", `${url}/sandbox/report`, {})).status).toBe(200);
    return checkWhole(join(cwd, "report")).digests;
  };
  const alone = await written();
  let isWritten = false;
  const report = written().finally(() => {
    isWritten = true;
  });
  const body = Object.fromEntries(Array.from({ length: 50_000 }, (_, k) => [`key${k}`, k]));
  let refused = 0;
  while (!isWritten || refused === 0) {
    const answers = await Promise.all([
      requestJson("POST", `${url}/sandbox/faults`, body),
      requestJson("GET", `${url}/health`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
    refused++;
  }
  expect(await report).toEqual(alone);
  expect((await server.stop()).status).toBe(0);
});
