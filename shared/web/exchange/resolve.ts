import type { LookupAddress } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { cacheFor } from "../../core/cache-for.ts";
import { systemClock } from "../../core/clock.ts";
import { isLocalhost, parseHostsFile } from "./hosts-file.ts";

/**
 * Returns all addresses of a name, in the order in which they are tried. The list is empty if the name has no address.
 * Rejects if the addresses cannot be found out.
 * @param signal ends the lookup
 */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/** The time in which a name server must send its first response. The time doubles with each retry. */
const queryTimeoutMs = 1_500;
const maxQueries = 3;

/** The time to wait for the addresses of the other family (IPv4, IPv6) after those of one family have arrived. */
const otherFamilyMs = 250;

const hostsFile = "/etc/hosts";
const hostsKeptMs = 60_000;

/** The codes by which name servers report that a name has no addresses of the requested family. */
const noAddress: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

const loopback: LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Queries the machine's name servers without the C library. The C library resolves names in four threads per process,
 * so four unanswered names would delay all others. Search domains are ignored. IPv4 addresses come first, because all
 * hosts have one.
 * @param servers replaces the machine's name servers; addresses with optional ports
 */
export function fromNameServers(servers?: string[]): Resolve {
  return async (hostname, signal) => {
    // Each name gets its own resolver, which reads the machine's current servers and can be cancelled separately.
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
      throw new Error(`the name servers could not resolve ${hostname} (${unclear})`, { cause: error });
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", giveUp);
    }
  };
}

/**
 * Returns the addresses in the machine's hosts file. @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3 localhost
 */
export function fromHostsFile(read = () => readFile(hostsFile, "utf8")): Resolve {
  // A missing file counts as an empty one.
  const hosts = cacheFor(hostsKeptMs, async () => parseHostsFile(await read().catch(() => "")), systemClock);
  return async (hostname) => (await hosts()).get(hostname) ?? (isLocalhost(hostname) ? loopback : []);
}

/** Resolves a name with the C library, which uses search domains, multicast DNS and the machine's other settings. */
export const fromSystem: Resolve = async (hostname) => {
  try {
    return await lookup(hostname, { all: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && noAddress.has(error.code)) return [];
    throw error;
  }
};

/** Tries the ways in order until one of them finds addresses. An error ends the search. */
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

/** Resolves the names of hosts in the operator's own network, too. Some of them are known only to the C library. */
export const resolvePrivate: Resolve = inOrder(resolvePublic, fromSystem);
