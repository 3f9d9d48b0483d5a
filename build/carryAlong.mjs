/**
 *   node build/carryAlong.mjs [folder]
 *
 * Puts into dist/, or into the folder named, what the built package carries along: of Swagger UI it needs three files, and who installs vppsim
 * need not have the other 75 MB.
 */
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const dist = resolve(process.argv[2] ?? fileURLToPath(new URL("../dist/", import.meta.url)));
const folderOf = (name) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

function copy(from, to, names) {
  mkdirSync(to, { recursive: true });
  for (const name of names) copyFileSync(join(from, name), join(to, name));
}

/** The version of Swagger UI whose licences are in build/swaggerUi, from its package swagger-ui-dist. */
const SWAGGER_UI = "5.34.0";

/** Swagger UI, as its package for Fastify brings it along, with the licences that its scripts name and that package lacks. */
function referencePage() {
  const from = folderOf("@fastify/swagger-ui");
  const { version } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const to = join(dist, "api/http/openapi/page");
  const scripts = ["swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"];
  copy(join(from, "static"), to, ["swagger-ui.css", ...scripts]);
  const bundle = readFileSync(join(to, scripts[0]), "utf8");
  if (!bundle.includes(`PACKAGE_VERSION:"${SWAGGER_UI}"`))
    throw new Error(
      `build/swaggerUi has the licences of Swagger UI ${SWAGGER_UI}: replace them by those of the new version`,
    );
  copy(
    fileURLToPath(new URL("swaggerUi/", import.meta.url)),
    to,
    scripts.map((script) => `${script}.LICENSE.txt`),
  );
  copy(fileURLToPath(new URL("../", import.meta.url)), to, ["LICENSE"]);
  writeFileSync(
    join(to, "NOTICE"),
    `Swagger UI, copyright SmartBear Software Inc., Apache License 2.0 (LICENSE), https://github.com/swagger-api/swagger-ui
Taken from the package @fastify/swagger-ui ${version}.
`,
  );
}

/** npx links to the command once and remembers it: built anew, it has to be one that can be started. */
function command() {
  chmodSync(join(dist, "cli/main.js"), 0o755);
}

referencePage();
command();
