import type { Scenario } from "../../inputs/scenario/scenario.ts";
import { refreshTokenOf } from "./tokenSecrets.ts";

/**
 * The refresh token of a VPP or a site: a VPP's is valid for the VPP API, a site's for both site APIs
 * (docs/model/apis.md#tokens).
 */
export interface Credential {
  readonly kind: "vpp" | "site";
  readonly name: string;
  /** 32 lowercase hex digits. */
  readonly id: string;
  readonly refreshToken: string;
}

/** Credentials of all VPPs and sites of a scenario, in its order. @param secret  from `refreshSecret` */
export function credentialsOf({ world }: Scenario, secret: string): readonly Credential[] {
  const credential = (kind: "vpp" | "site", name: string, id: string): Credential => ({
    kind,
    name,
    id,
    refreshToken: refreshTokenOf(secret, id),
  });
  return [
    ...world.vpps.map(({ name, vppId }) => credential("vpp", name, vppId)),
    ...world.sites.map(({ name, emsId }) => credential("site", name, emsId)),
  ];
}
