import { pluralize } from "../../core/pluralize.ts";

/** The maximum number of hosts that a list names. */
const maxHosts = 20;

/**
 * Describes each host that refuses our requests in one line. Hosts with the most links come first.
 * @param hosts the host key of each refused link
 */
export function describeRefusals(hosts: readonly string[]): string[] {
  const links = new Map<string, number>();
  for (const host of hosts) links.set(host, (links.get(host) ?? 0) + 1);
  const sorted = [...links].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1));
  const lines = sorted.slice(0, maxHosts).map(([host, count]) => `${host}: ${pluralize(count, "link")}`);
  const more = sorted.length - lines.length;
  return more > 0 ? [...lines, `and ${pluralize(more, "more host")}`] : lines;
}
