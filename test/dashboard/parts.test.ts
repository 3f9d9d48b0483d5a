import { MantineProvider } from "@mantine/core";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { CurlBlock } from "../../src/dashboard/parts/CurlBlock.tsx";

test("a request is shown as curl with the answer under it, and markup in it is text", () => {
  const request = { method: "GET", url: "http://h/sandbox/clock", headers: { "x-sandbox-token": "s3cret" } } as const;
  const block = createElement(CurlBlock, { request, answer: { name: "<script>" }, status: 404 });
  const html = renderToString(createElement(MantineProvider, null, block));
  expect(html).toContain("curl -X GET");
  expect(html).toContain("404");
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toContain("<script>");
  expect(html).not.toContain("s3cret");
});
