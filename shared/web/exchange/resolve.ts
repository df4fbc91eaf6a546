import type { LookupAddress } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { cacheFor } from "../../core/cache-for.ts";
import { systemClock } from "../../core/clock.ts";
import { isLocalhost, parseHostsFile } from "./hosts-file.ts";

/**
 * All addresses of a name, in the order in which they are tried; none when it has none. Throws when they are unknown.
 * @param signal when to give up
 */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/** How long a name server has for its first response; each further try gets twice the time. */
const queryTimeoutMs = 1_500;
const maxQueries = 3;

/** How long to wait for the other address family when the addresses of one have arrived. */
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
 * Queries the machine's name servers without the C library. The C library resolves names in four threads per process, so
 * four unanswered names would delay all others. Search domains are ignored. IPv4 comes first: all hosts have it.
 * @param servers instead of the machine's, with their ports
 */
export function fromNameServers(servers?: string[]): Resolve {
  return async (hostname, signal) => {
    // One resolver per name: it reads the machine's current servers, and can be cancelled alone.
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

/** Reads the machine's hosts file. @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3 localhost */
export function fromHostsFile(read = () => readFile(hostsFile, "utf8")): Resolve {
  // A missing file has no hosts.
  const hosts = cacheFor(hostsKeptMs, async () => parseHostsFile(await read().catch(() => "")), systemClock);
  return async (hostname) => (await hosts()).get(hostname) ?? (isLocalhost(hostname) ? loopback : []);
}

/** Resolves a name by the C library: with search domains, multicast DNS and the machine's other settings. */
export const fromSystem: Resolve = async (hostname) => {
  try {
    return await lookup(hostname, { all: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && noAddress.has(error.code)) return [];
    throw error;
  }
};

/** Tries the ways in order, until one has addresses. An error ends the search. */
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

/** Resolves the names of public hosts. */
export const resolvePublic: Resolve = inOrder(fromHostsFile(), fromNameServers());

/** Resolves the names of hosts in the operator's own network, too. Only the C library may know them. */
export const resolvePrivate: Resolve = inOrder(resolvePublic, fromSystem);
