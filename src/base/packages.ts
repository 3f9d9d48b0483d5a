import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** Loaded with the first file that is XML. */
export const loadXmlParser = (): typeof import("fast-xml-parser") => load("fast-xml-parser");

/** Loaded with the first published file, because most commands read none. */
export const loadIconv = (): typeof import("iconv-lite") => load("iconv-lite");
