import { collectBytes } from "../../../local/cli/memory/collect-bytes.ts";
import { setIfAbsent } from "../../../local/cli/memory/set-if-absent.ts";
import type { Write } from "../../../local/cli/memory/write.ts";
import { type Delivery, deliverySortKey } from "../../../shared/deliver/stage-results/delivery.ts";
import type { DeliveryStore } from "../../../shared/deliver/stage-results/delivery-store.ts";
import type { SftpTransfer } from "../../../shared/deliver/stage-results/transfer.ts";

interface DeliveriesState {
  /** Who holds the name of a file. */
  fileNames: Map<string, string>;
  transfers: Map<string, SftpTransfer>;
  files: Map<string, Uint8Array>;
  deliveriesByKey: Map<string, Delivery>;
}

/** Files and deliveries in memory. */
export function memoryDeliveries(memory: DeliveriesState, write: Write): DeliveryStore {
  return {
    claimFileName: (holder, nameOf) =>
      write(() => {
        for (let number = 1; ; number += 1) {
          const name = nameOf(number);
          if (setIfAbsent(memory.fileNames, name, holder) === holder) return name;
        }
      }),
    writeFile: async (key, content) => {
      const bytes = await collectBytes(content);
      return write(() => memory.files.set(key, bytes).get(key)?.byteLength ?? 0);
    },
    readFile: async function* (key: string) {
      yield memory.files.get(key) ?? new Uint8Array();
    },
    transfer: async (fileName) => memory.transfers.get(fileName),
    saveTransfer: (fileName, sending) => write(() => void memory.transfers.set(fileName, sending)),
    save: (delivery) => write(() => setIfAbsent(memory.deliveriesByKey, delivery.key, delivery)),
    get: async (sortKey) =>
      [...memory.deliveriesByKey.values()].find((delivery) => deliverySortKey(delivery) === sortKey),
    list: async ({ limit, after }) =>
      [...memory.deliveriesByKey.values()]
        .filter((delivery) => after === undefined || deliverySortKey(delivery) < after)
        .sort((a, b) => (deliverySortKey(a) < deliverySortKey(b) ? 1 : -1))
        .slice(0, limit),
  };
}
