/** Decides whether a host is one of these domains or a subdomain of one. */
export function isHostOf(hosts: readonly string[], domains: readonly string[]): boolean {
  return hosts.some((host) => domains.some((domain) => host === domain || host.endsWith(`.${domain}`)));
}
