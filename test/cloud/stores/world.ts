import type { KeyedRequestStore } from "../../../shared/api/idempotency.ts";
import type { LeaseStore } from "../../../shared/core/lease.ts";
import type { DelinquentStore } from "../../../shared/deliver/delinquent/delinquent-store.ts";
import type { DeliveryStore } from "../../../shared/deliver/stage-results/delivery-store.ts";
import type { ValidationRuleStore } from "../../../shared/deliver/validation/rule.ts";
import type { ItemStore } from "../../../shared/harvest/items/item.ts";
import type { ArchiveStore } from "../../../shared/records/archive/archive-store.ts";
import type { DocumentStore } from "../../../shared/records/documents/document-store.ts";
import type { RecordStore } from "../../../shared/records/documents/stored-record.ts";
import type { RunStore } from "../../../shared/records/runs/run-store.ts";
import { group } from "../../../shared/records/sources/group.ts";
import { source } from "../../../shared/records/sources/source.ts";
import type { SourceStore } from "../../../shared/records/sources/source-store.ts";
import { memoryKeyedRequests } from "../../shared/memory/keyed-requests.ts";
import { MemoryPorts } from "../../shared/memory-ports.ts";

/** The stores whose conditions a delivery goes by. */
interface Stores {
  archive: ArchiveStore;
  records: RecordStore;
  documents: DocumentStore;
  items: ItemStore;
  delinquents: DelinquentStore;
  deliveries: DeliveryStore;
  runs: RunStore;
  sources: SourceStore;
  rules: ValidationRuleStore;
  leases: LeaseStore;
  keyedRequests: KeyedRequestStore;
}

/** An item of the configuration, valid or not. */
interface ConfigurationItem {
  kind: "source" | "group";
  id: string;
  value: Record<string, unknown>;
  addedBy?: "api";
}

/** What a test has: the stores, and an id that no other test has. */
export interface StoreTest {
  stores: Stores;
  configure(item: ConfigurationItem): Promise<void>;
  id: string;
}

/** Those of the tests' memory and those of the cloud, over the tables of the template; each test has ids of its own. */
export const storeImplementations: [string, () => Promise<Omit<StoreTest, "id">>][] = [
  [
    "in memory",
    async () => {
      const ports = new MemoryPorts();
      ports.now = new Date();
      return {
        stores: Object.assign(ports, { keyedRequests: memoryKeyedRequests() }),
        configure: async (item) => configureMemory(ports, item),
      };
    },
  ],
  ["on DynamoDB", storesOfCloud],
];

/** Those over the tables of the cloud that was started last. */
async function storesOfCloud() {
  const { archiveStore } = await import("../../../shared/adapters/records/archive-store.ts");
  const { configurationStore } = await import("../../../shared/adapters/records/configuration-store.ts");
  const { delinquentStore } = await import("../../../shared/deliver/stores/delinquent-store.ts");
  const { deliveryStore } = await import("../../../shared/deliver/stores/delivery-store.ts");
  const { documentStore } = await import("../../../shared/adapters/records/document-store.ts");
  const { itemStore } = await import("../../../shared/harvest/stores/item-store.ts");
  const { keyedRequestStore } = await import("../../../shared/api/keyed-request-store.ts");
  const { leaseStore } = await import("../../../shared/adapters/aws/lease-store.ts");
  const { recordStore } = await import("../../../shared/adapters/records/record-store.ts");
  const { runStore } = await import("../../../shared/adapters/records/run-store.ts");
  const { validationRuleStore } = await import("../../../shared/deliver/stores/validation-rule-store.ts");
  const { sourceStore } = await import("../../../shared/adapters/records/source-store.ts");
  const stores = {
    archive: archiveStore(),
    records: recordStore(),
    documents: documentStore(),
    items: itemStore(),
    delinquents: delinquentStore(),
    deliveries: deliveryStore(),
    runs: runStore(),
    sources: sourceStore(),
    rules: validationRuleStore(),
    leases: leaseStore(),
    keyedRequests: keyedRequestStore(),
  };
  const configuration = configurationStore();
  return { stores, configure: (item: ConfigurationItem) => configuration.put(item) };
}

function configureMemory(ports: MemoryPorts, { kind, id, value, addedBy }: ConfigurationItem): void {
  const parsed = (kind === "source" ? source : group).safeParse(value);
  const problem = String(parsed.error);
  if (kind === "source") {
    if (parsed.success)
      ports.sourcesById.set(id, { ...source.parse(value), ...(addedBy && { isAdded: true as const }) });
    else ports.unusable.push({ sourceId: id, title: id, problem });
  } else if (parsed.success) ports.groups.set(id, group.parse(value));
  else ports.unusableGroups.push({ groupId: id, problem });
}

/** A moment of November 2026, or after it. */
export const time = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString();
export const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
