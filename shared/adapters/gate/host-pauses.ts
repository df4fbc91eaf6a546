import { hostsByAvailabilityIndex } from "../../names.ts";
import type { HostPause, HostPauses } from "../../web/gate/host-state.ts";
import { expression } from "../aws/expression.ts";
import { table } from "../aws/table.ts";
import { hostKeyOfPause, pauseKeyOf } from "./host-store.ts";

interface PauseItem {
  hostKey: string;
  pause: HostPause;
}

/**
 * Stores pauses in separate items beside the states of hosts, so that the gate's writes leave them unchanged. The index
 * of hosts that are not requested lists them as `paused`, by the time of the pause.
 */
export function hostPauses(): HostPauses {
  const pauses = table<PauseItem>({ variable: "hostsTable", key: (hostKey) => ({ hostKey }) });
  return {
    async set(hostKey, pause) {
      const listed = { listedAs: "paused", unavailableUntilMs: Date.parse(pause.since) };
      await pauses.putItem(pauseKeyOf(hostKey), { pause, ...listed });
    },
    clear: (hostKey) => pauses.deleteItem(pauseKeyOf(hostKey)),
    async list(limit) {
      const where = expression`listedAs = ${"paused"}`;
      const keys = await pauses
        .query<Pick<PauseItem, "hostKey">>({ index: hostsByAvailabilityIndex, where, isDescending: true })
        .first(limit);
      const items = await pauses.getMany(
        keys.map(({ hostKey }) => hostKey),
        { isConsistent: false },
      );
      return items
        .map(({ hostKey, pause }) => ({ hostKey: hostKeyOfPause(hostKey), ...pause }))
        .sort((a, b) => (a.since > b.since ? -1 : 1));
    },
  };
}
