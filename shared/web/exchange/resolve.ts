import type { LookupAddress } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { cacheFor } from "../../core/cache-for.ts";
import { systemClock } from "../../core/clock.ts";
import { isLocalhost, parseHostsFile } from "./hosts-file.ts";

/**
 * All addresses of a name, in the order in which they are to be tried; none when it has none. What cannot be found out
 * is an error.
 * @param signal when to give up
 */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/** How long a name server has for its first answer; each further try gets twice the time. */
const queryTimeoutMs = 1_500;
const maxQueries = 3;

/** What the addresses of the other family get when those of one are there. */
const otherFamilyMs = 250;

const hostsFile = "/etc/hosts";
const hostsKeptMs = 60_000;

/** The codes by which name servers say that a name has no such addresses. */
const noAddress: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

const loopback: LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Asks the machine's name servers without the C library, which has four threads for the names of a whole process: four that
 * nobody answers would hold up all others. Search domains do not count. IPv4 comes first: it is what all hosts have.
 * @param servers in the place of the machine's, with their ports
 */
export function fromNameServers(servers?: string[]): Resolve {
  return async (hostname, signal) => {
    // One for each name: it sees which servers the machine has by now, and can be given up by itself.
    const resolver = new Resolver({ timeout: queryTimeoutMs, tries: maxQueries });
    if (servers !== undefined) resolver.setServers(servers);
    const giveUp = () => resolver.cancel();
    signal.addEventListener("abort", giveUp, { once: true });
    const families = [
      resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
    ];
    let late: NodeJS.Timeout | undefined;
    try {
      await Promise.any(families);
      late = setTimeout(giveUp, otherFamilyMs);
      const settled = await Promise.allSettled(families);
      return settled.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    } catch (error) {
      const codes = error instanceof AggregateError ? error.errors.map(({ code }) => code) : [];
      const unclear = codes.find((code) => !noAddress.has(code));
      if (unclear === undefined && codes.length > 0) return [];
      throw new Error(`the name servers do not say where ${hostname} is (${unclear})`, { cause: error });
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", giveUp);
    }
  };
}

/** What the machine itself says of a name. @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3 localhost */
export function fromHostsFile(read = () => readFile(hostsFile, "utf8")): Resolve {
  // A machine without such a file names no hosts.
  const hosts = cacheFor(hostsKeptMs, async () => parseHostsFile(await read().catch(() => "")), systemClock);
  return async (hostname) => (await hosts()).get(hostname) ?? (isLocalhost(hostname) ? loopback : []);
}

/** What the C library makes of a name: by search domains, multicast, and whatever else the machine is set up for. */
export const fromSystem: Resolve = async (hostname) => {
  try {
    return await lookup(hostname, { all: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && noAddress.has(error.code)) return [];
    throw error;
  }
};

/** The first that has addresses counts; one that cannot tell ends it. */
export function inOrder(...ways: Resolve[]): Resolve {
  return async (hostname, signal) => {
    for (const way of ways) {
      signal.throwIfAborted();
      const found = await way(hostname, signal);
      if (found.length > 0) return found;
    }
    return [];
  };
}

/** Where hosts of the internet are. */
export const resolvePublic: Resolve = inOrder(fromHostsFile(), fromNameServers());

/** Where hosts of the operator's own network may be, too: their names may be such as only the machine understands. */
export const resolvePrivate: Resolve = inOrder(resolvePublic, fromSystem);
