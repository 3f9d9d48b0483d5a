/**
 * The address of a Redis server for messages: without the user, the password and the options of its URL.
 *
 * An address that cannot be parsed is not shown at all, since a password can be anywhere in it.
 */
export function redactRedisUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || parsed.host === "" || `${parsed.pathname}${parsed.search}${parsed.hash}`.includes("@"))
    return "the address given by --redis";
  return `${parsed.protocol}//${parsed.host}`;
}
