// A client that signs in, instructs without a key, and gives up at the first surprise.
const { VPPSIM_BASE_URL: base, VPPSIM_AUTH_URL: auth, VPPSIM_VPP_ID: vpp, VPPSIM_REFRESH_TOKEN: refresh } = process.env;
const signed = await fetch(`${auth}/auth/refresh`, { method: "POST", headers: { authorization: `Bearer ${refresh}` } });
const { access_token } = await signed.json();
const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
await fetch(`${base}/v1/vpp/${vpp}/members`, { headers });
await fetch(`${base}/v1/vpp/${vpp}/status`, { headers });
