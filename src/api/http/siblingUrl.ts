/**
 * URL of another port of this machine, under the name by which the caller reached it; `null` without a usable Host
 * header or without a listening port.
 */
export function siblingUrl(hostHeader: string | undefined, port: number | null): string | null {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d+)?$/i.exec(hostHeader ?? "")?.[1];
  return name === undefined || port === null ? null : `http://${name}:${port}`;
}
