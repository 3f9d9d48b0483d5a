/** The request that opens a telemetry connection of a VPP, for tests that speak WebSocket over a plain socket. */
export const telemetryHandshake = (host: string, vppId: string, authorization: string): string =>
  [
    `GET /v1/vpp/${vppId}/telemetry HTTP/1.1`,
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    `Authorization: ${authorization}`,
    "",
    "",
  ].join("\r\n");
