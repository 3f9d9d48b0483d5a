import type { ApiName } from "../../endpoints/route.ts";
import { ACCESS_TOKEN_SECONDS } from "../auth/accessTokens.ts";
import { ANSWER_HEADERS, type JsonObject } from "./descriptionParts.ts";
import { tokenErrorAnswer } from "./errorSchema.ts";

export const ACCESS_TOKEN: JsonObject = {
  type: "object",
  additionalProperties: false,
  required: ["access_token", "token_type", "expires_in", "expires_at"],
  properties: {
    access_token: { type: "string", description: "A JWT" },
    token_type: { const: "Bearer" },
    expires_in: { const: ACCESS_TOKEN_SECONDS, description: "Seconds of simulated time" },
    expires_at: { type: "string", format: "date-time" },
  },
};

/** The token endpoint common to all three APIs; it has a server of its own. */
export function authOperation(
  { api, error }: { readonly api: ApiName; readonly error: JsonObject },
  authUrl: string,
): {
  readonly paths: Record<string, JsonObject>;
  readonly securitySchemes: JsonObject;
} {
  const servers = [{ url: authUrl, description: "The authentication host" }];
  const refresh = {
    // Some generators read servers of a path, others those of an operation.
    servers,
    operationId: "refreshToken",
    summary: "Get an access token for a refresh token",
    tags: ["Tokens"],
    description: "Served on the authentication host alone; 1000 requests an hour for each refresh token.",
    security: [{ refreshToken: [] }],
    parameters: [{ $ref: "#/components/parameters/RequestId" }],
    responses: {
      200: {
        description: "A new access token",
        headers: ANSWER_HEADERS,
        content: {
          "application/json": {
            schema: ACCESS_TOKEN,
            example: {
              access_token: "eyJhbGciOiJIUzI1NiJ9.e30.signature",
              token_type: "Bearer",
              expires_in: ACCESS_TOKEN_SECONDS,
              expires_at: "2026-05-01T00:00:00Z",
            },
          },
        },
      },
      401: tokenErrorAnswer(error, 401, "authentication_error", ANSWER_HEADERS),
      429: tokenErrorAnswer(error, 429, "rate_limit_exceeded", ANSWER_HEADERS),
      // The document of 1.13 lists them; this server does not answer with them here.
      ...(api === "site-v1"
        ? {
            403: tokenErrorAnswer(error, 403, "permission_denied", ANSWER_HEADERS),
            503: tokenErrorAnswer(error, 503, "system_out_of_service", ANSWER_HEADERS),
          }
        : {}),
    },
  };
  return {
    paths: {
      "/auth/refresh": {
        servers,
        post: refresh,
      },
    },
    securitySchemes: {
      refreshToken: { type: "http", scheme: "bearer", description: "Issued by the operator, one for each id" },
    },
  };
}
