import { once } from "../../../local/harvest/memory-runs.ts";
import { type Delivery, deliveryPlace } from "../../../shared/delivery/plan/delivery.ts";
import type { Sending } from "../../../shared/delivery/upload/sending.ts";
import type { DeliveryStore, UploadLease } from "../../../shared/ports.ts";
import { gathered } from "./gathered.ts";
import type { Write } from "./writes.ts";

interface KeptDeliveries {
  /** Who holds the name of a file. */
  fileNames: Map<string, string>;
  sendings: Map<string, Sending>;
  files: Map<string, Uint8Array>;
  deliveriesByKey: Map<string, Delivery>;
}

/** Files and deliveries in memory. */
export function memoryDeliveries(memory: KeptDeliveries, write: Write): DeliveryStore {
  const leases = new Map<string, UploadLease>();
  return {
    allocate: (holder, nameOf) =>
      write(() => {
        for (let number = 1; ; number += 1) {
          const name = nameOf(number);
          if (once(memory.fileNames, name, holder) === holder) return name;
        }
      }),
    write: async (key, content) => {
      const bytes = await gathered(content);
      return write(() => memory.files.set(key, bytes).get(key)?.byteLength ?? 0);
    },
    content: async function* (key: string) {
      yield memory.files.get(key) ?? new Uint8Array();
    },
    lease: (lease, nowMs) =>
      write(() => {
        const held = leases.get(lease.runId);
        if (held !== undefined && held.untilMs > nowMs) return held.untilMs;
        leases.set(lease.runId, lease);
        return nowMs;
      }),
    endLease: ({ runId, holder }) =>
      write(() => {
        if (leases.get(runId)?.holder === holder) leases.delete(runId);
      }),
    sending: async (fileName) => memory.sendings.get(fileName),
    noteSending: (fileName, sending) => write(() => void memory.sendings.set(fileName, sending)),
    save: (delivery) => write(() => once(memory.deliveriesByKey, delivery.key, delivery)),
    list: async ({ limit, after }) =>
      [...memory.deliveriesByKey.values()]
        .filter((delivery) => after === undefined || deliveryPlace(delivery) < after)
        .sort((a, b) => (deliveryPlace(a) < deliveryPlace(b) ? 1 : -1))
        .slice(0, limit),
  };
}
