import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { exampleFiles, listExamples, missingDataHint } from "../../src/inputs/datagen/disk/exampleFiles.ts";
import { initScenario } from "../../src/inputs/datagen/disk/initScenario.ts";
import { FLEET_DAYS } from "../../src/inputs/datagen/fleetFiles.ts";
import { loadScenario, readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const SCENARIOS = new URL("../../scenarios/", import.meta.url).pathname;
const folder = createTemporaryFolder("examples");

/** The year takes as long to generate as all others together; the week has the same members. */
const examples = listExamples().filter(({ name }) => name !== "fleet-year");

describe("examples that vppsim init writes", () => {
  test("every scenario that ships is one, with a description of one line", () => {
    const shipped = readdirSync(SCENARIOS, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".yaml") && !path.endsWith(".study.yaml") && !path.startsWith("drills/"))
      .map((path) => path.replace(/\/scenario\.yaml$/, "").replace(/^(features|markets|studies)\/(.*)\.yaml$/, "$2"));
    const names = listExamples().map(({ name }) => name);
    expect([...names].sort()).toEqual([...shipped, "starter"].sort());
    for (const { name, description } of listExamples()) {
      expect(description, name).not.toBe("");
      expect(description.length, name).toBeLessThanOrEqual(100);
    }
  });

  test.each(examples)("$name is complete in a folder of its own", ({ name }) => {
    const files = initScenario(join(folder, name), name);
    expect(loadScenario(files[0]).world.sites.length).toBeGreaterThan(0);
    const study = files.find((file) => file.endsWith(".study.yaml"));
    if (study !== undefined) expect(readStudy(study).study.parameters.length).toBeGreaterThan(0);
  });

  test("a copy has the hash of the scenario that ships", () => {
    for (const [name, path] of [
      ["mixed-week", "mixed-week/scenario.yaml"],
      ["demand-response", "features/demand-response.yaml"],
    ] as const) {
      const copy = new Map([...(exampleFiles(name) ?? [])].map(([file, content]) => [`/copy/${file}`, content]));
      const { hash } = readScenario([...copy.keys()][0], {}, memoryFiles(copy));
      expect(hash).toBe(loadScenario(join(SCENARIOS, path)).hash);
    }
  });

  test("an unknown name is refused with a suggestion, and nothing is written", () => {
    const refused = () => initScenario(join(folder, "none"), "mixed-wek");
    expect(refused).toThrow(InputErrors);
    expect(refused).toThrow(/--example: found "mixed-wek", allowed one of starter, .*; did you mean mixed-week/);
    expect(readdirSync(folder)).not.toContain("none");
  });
});

test.each([...FLEET_DAYS.keys()])("missing data of %s are reported with the command that generates them", (name) => {
  const errorsOf = (file: string) => {
    try {
      readScenario(file, {}, memoryFiles(new Map([[file, `${exampleFiles("fleet-week")?.get("scenario.yaml")}`]])));
    } catch (error) {
      if (error instanceof InputErrors) return error.errors;
    }
    return [];
  };
  expect(missingDataHint(errorsOf(`/scenarios/${name}/scenario.yaml`))).toContain(
    `vppsim init ${name} --example ${name}`,
  );
  expect(errorsOf("/scenarios/mine/scenario.yaml")).toHaveLength(4);
  expect(missingDataHint(errorsOf("/scenarios/mine/scenario.yaml"))).toBeNull();
});
