// A client of the VPP API that copes with limits, expiry, lost answers and cuts. Times are simulated seconds.
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";

const { VPPSIM_BASE_URL: base, VPPSIM_AUTH_URL: auth, VPPSIM_VPP_ID: vpp, VPPSIM_REFRESH_TOKEN: refresh } = process.env;
const speed = Number(process.env.VPPSIM_SPEED);
const wait = (seconds) => sleep((1000 * seconds) / speed);
let token = "";

async function signIn() {
  const answer = await fetch(`${auth}/auth/refresh`, {
    method: "POST",
    headers: { authorization: `Bearer ${refresh}` },
  });
  token = (await answer.json()).access_token;
}

async function call(method, path, body, key) {
  for (;;) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    if (key !== undefined) headers["idempotency-key"] = key;
    const request = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
    const answer = await fetch(`${base}/v1/vpp/${vpp}${path}`, request).catch(() => null);
    if (answer === null) continue;
    if (answer.status === 429) await wait(Number(answer.headers.get("retry-after")) + 1);
    else if (answer.status === 498) await signIn();
    else return answer.json();
  }
}

/** Where telemetry stands; a cut continues from here. */
const position = { session: null, seq: 0 };
function listen() {
  const query = position.session === null ? "" : `?session=${position.session}&last_seq=${position.seq}`;
  const url = `${base.replace("http", "ws")}/v1/vpp/${vpp}/telemetry${query}`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  socket.on("message", (data) => {
    const message = JSON.parse(String(data));
    if (message.type === "hello") position.session = message.data.session ?? message.session ?? position.session;
    position.seq = message.seq;
  });
  socket.on("error", () => {});
  socket.on("close", () => setTimeout(listen, 50));
}

await signIn();
const { members } = await call("GET", "/members");
listen();
const body = {
  type: "schedule",
  sku: "frr",
  delta_kw: -300,
  start_time: "2026-05-20T10:02:00Z",
  end_time: "2026-05-20T10:06:00Z",
  member_baselines: members.map(({ ems_id }) => ({ ems_id, baseline_kw: 0 })),
};
await call("GET", "/status");
await call("POST", "/control/active_power", body, "careful-1");
for (;;) {
  const { timestamp } = await call("GET", "/status");
  if (timestamp >= "2026-05-20T10:05:00Z") process.exit(0);
  await wait(10);
}
