import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { openTinySession } from "./openTinySession.ts";
import { reportBytes } from "./sessionAndExportReports.ts";

test("a report and an export made in a thread have the same bytes as those made here", async () => {
  const [there, here] = await Promise.all([
    openTinySession({ longTasks: "thread" }),
    openTinySession({ longTasks: "here" }),
  ]);
  const folder = createTemporaryFolder("thread");
  for (const session of [there, here]) {
    await session.advance((nowMs) => nowMs + 3_600_000);
    await session.beginFault({ kind: "outage", site: "plant", durationMs: 600_000 });
    await session.advance((nowMs) => nowMs + 3_600_000);
  }
  const written = await Promise.all([there.writeReport(join(folder, "a")), here.writeReport(join(folder, "b"))]);
  expect(written[0].files).toEqual(written[1].files);
  expect(reportBytes(join(folder, "a"))).toEqual(reportBytes(join(folder, "b")));
  expect([...(await there.openExport())].join("")).toBe([...here.exportParts()].join(""));
  await Promise.all([there.close(), here.close()]);
});

test("an error in the thread keeps its class and its message", async () => {
  const session = await openTinySession({ longTasks: "thread" });
  const folder = createTemporaryFolder("thread");
  writeFileSync(join(folder, "letter.txt"), "mine");
  const failure = session.writeReport(folder);
  await expect(failure).rejects.toBeInstanceOf(InputErrors);
  await expect(failure).rejects.toThrow("letter.txt");
  expect(readdirSync(folder)).toEqual(["letter.txt"]);
  await session.close();
});
