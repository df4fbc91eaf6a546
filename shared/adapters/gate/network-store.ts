import { cacheFor } from "../../core/cache-for.ts";
import { systemClock } from "../../core/clock.ts";
import type { NetworkFlag, NetworkState } from "../../web/network/probe-network.ts";
import { expression } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

/**
 * Stores the state of the network in the item `network` of the table of flags. The item does not exist until the
 * network is down for the first time.
 */
export function networkFlag(): NetworkFlag {
  const flags = table<NetworkState>({ variable: "flagsTable", key: (flag) => ({ flag }) });
  return {
    get: () => flags.get("network"),
    async change(to) {
      const isChange = expression`attribute_not_exists(flag) OR state <> ${to.state}`;
      await flags.putIf("network", to, isChange);
    },
    async markNotified(since) {
      await flags.updateIf("network", expression`SET isNotified = ${true}`, expression`since = ${since}`);
    },
  };
}

/**
 * The time for which a read of the flag is cached, because every message needs the flag, but it changes at most every
 * five minutes.
 */
const cacheMs = 1000;

/** Returns the function that reads whether Ingather's own network is known to be down. */
export function networkIsDown(): () => Promise<boolean> {
  const flag = cacheFor(cacheMs, networkFlag().get, systemClock);
  return async () => (await flag())?.state === "down";
}
