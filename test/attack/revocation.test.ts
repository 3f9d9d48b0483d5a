import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { startLiveServer } from "../http/liveServer.ts";

test("revoking a refresh token ends its access tokens and telemetry, and no others", async () => {
  const live = await startLiveServer();
  const open = async (name: string, kind: string) => {
    const { authorization } = await live.signIn(name);
    const url = `${live.baseUrl.replace("http", "ws")}/${kind}/${live.idOf(name)}/telemetry`;
    const socket = new WebSocket(url, { headers: { authorization } });
    await once(socket, "message");
    return { socket, authorization };
  };
  const [plant, east] = [await open("plant", "v2/ems"), await open("east", "v1/vpp")];
  const statusOf = async (path: string, { authorization }: { readonly authorization: string }) =>
    (await fetch(`${live.baseUrl}/${path}/status`, { headers: { authorization } })).status;
  const id = live.idOf("plant");
  expect([await statusOf(`v1/ems/${id}`, plant), await statusOf(`v2/ems/${id}`, plant)]).toEqual([200, 200]);
  const closed = once(plant.socket, "close");
  await live.session.revoke(live.refreshTokenOf("plant"));
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4401, "token_revoked"]);
  expect([await statusOf(`v1/ems/${id}`, plant), await statusOf(`v2/ems/${id}`, plant)]).toEqual([401, 401]);
  expect(await statusOf(`v1/vpp/${live.idOf("east")}`, east)).toBe(200);
  expect(east.socket.readyState).toBe(WebSocket.OPEN);
  east.socket.terminate();
  await live.close();
});
