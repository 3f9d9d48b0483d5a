/**
 * Puts the files of the reference page into dist/: Swagger UI as @fastify/swagger-ui brings it along. Who installs vppsim
 * needs these three files and nothing else of that package.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const from = dirname(createRequire(import.meta.url).resolve("@fastify/swagger-ui/package.json"));
const to = fileURLToPath(new URL("../dist/api/openapi/page/", import.meta.url));
const { version } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));

mkdirSync(to, { recursive: true });
for (const name of ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"])
  copyFileSync(join(from, "static", name), join(to, name));
writeFileSync(
  join(to, "NOTICE"),
  `Swagger UI, copyright SmartBear Software Inc., Apache License 2.0, https://github.com/swagger-api/swagger-ui
Taken from the package @fastify/swagger-ui ${version}.
`,
);
