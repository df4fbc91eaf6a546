import { memoryHosts, memoryRobots, memoryValidators } from "../../../local/cli/memory/gate-stores.ts";
import type { KeyedRequestStore } from "../../../shared/api/idempotency.ts";
import type { LeaseStore } from "../../../shared/core/lease.ts";
import type { ListDriftedSources, QualityStore } from "../../../shared/deliver/quality/quality-store.ts";
import type { RefusedStore } from "../../../shared/deliver/refused/refused-store.ts";
import type { SourceRunStore } from "../../../shared/deliver/report/source-runs.ts";
import type { DeliveryStore } from "../../../shared/deliver/stage-results/delivery-store.ts";
import type { ValidationRuleStore } from "../../../shared/deliver/validation/rule.ts";
import type { ItemStore } from "../../../shared/harvest/items/item.ts";
import type { LookupStore } from "../../../shared/harvest/lookups/lookup-store.ts";
import type { WaitingArticles } from "../../../shared/harvest/lookups/waiting-articles.ts";
import type { OaiHarvestStore } from "../../../shared/harvest/oai-state/harvest-state.ts";
import type { RecipeStore } from "../../../shared/harvest/recipes/recipe-store.ts";
import type { ArchiveStore } from "../../../shared/records/archive/archive-store.ts";
import type { DocumentStore } from "../../../shared/records/documents/document-store.ts";
import type { RecordStore } from "../../../shared/records/documents/stored-record.ts";
import type { ReconversionStore } from "../../../shared/records/reconversions/reconversion.ts";
import type { RunStore } from "../../../shared/records/runs/run-store.ts";
import type { ImportJobStore } from "../../../shared/records/sources/conf/import-job.ts";
import { group } from "../../../shared/records/sources/group.ts";
import { source } from "../../../shared/records/sources/source.ts";
import type { SourceStatusStore } from "../../../shared/records/sources/source-status.ts";
import type { SourceStore } from "../../../shared/records/sources/source-store.ts";
import type { SnapshotStore } from "../../../shared/snapshots/definitions/snapshot-store.ts";
import type { CapturedUrls } from "../../../shared/snapshots/jobs/captured-urls.ts";
import type { ValidatorStore } from "../../../shared/web/chain/conditional.ts";
import type { GatePorts } from "../../../shared/web/gate/gate-ports.ts";
import type { HostShares } from "../../../shared/web/gate/host-shares.ts";
import type { RobotsStore } from "../../../shared/web/robots/robots-store.ts";
import { memoryHostShares } from "../../shared/memory/host-shares.ts";
import { memoryImports } from "../../shared/memory/imports.ts";
import { memoryKeyedRequests } from "../../shared/memory/keyed-requests.ts";
import { MemoryPorts } from "../../shared/memory-ports.ts";
import { memorySnapshots } from "../../shared/snapshots/definitions/memory-snapshots.ts";
import { memoryCapturedUrls } from "../../shared/snapshots/jobs/memory-captured-urls.ts";

/** The stores that stand in memory, too: in tests, and where the command line harvests in one process. */
export interface Stores {
  archive: ArchiveStore;
  records: RecordStore;
  documents: DocumentStore;
  items: ItemStore;
  refusedRecords: RefusedStore;
  deliveries: DeliveryStore;
  reconversions: ReconversionStore;
  runs: RunStore;
  sources: SourceStore;
  rules: ValidationRuleStore;
  recipes: RecipeStore;
  leases: LeaseStore;
  keyedRequests: KeyedRequestStore;
  hosts: GatePorts["hosts"];
  robots: RobotsStore;
  validators: ValidatorStore;
  hostShares: HostShares;
  lookups: LookupStore;
  waiting: WaitingArticles;
  oaiHarvests: OaiHarvestStore;
  status: SourceStatusStore;
  sourceRuns: SourceRunStore;
  quality: QualityStore;
  driftedSources: ListDriftedSources;
  imports: ImportJobStore;
  snapshots: SnapshotStore;
  capturedUrls: CapturedUrls;
}

/** An item of the configuration, valid or not. */
interface ConfigurationItem {
  kind: "source" | "group";
  id: string;
  value: Record<string, unknown>;
  addedBy?: "api";
  isUnannounced?: true;
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
        stores: Object.assign(ports, {
          keyedRequests: memoryKeyedRequests(),
          hosts: memoryHosts(),
          robots: memoryRobots(),
          validators: memoryValidators(),
          hostShares: memoryHostShares(),
          imports: memoryImports(),
          snapshots: memorySnapshots(),
          capturedUrls: memoryCapturedUrls(new Map()),
          driftedSources: ports.quality.drifted,
        }),
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
  const { refusedStore } = await import("../../../shared/deliver/stores/refused-store.ts");
  const { deliveryStore } = await import("../../../shared/deliver/stores/delivery-store.ts");
  const { reconversionStore } = await import("../../../shared/deliver/stores/reconversion-store.ts");
  const { documentStore } = await import("../../../shared/adapters/records/document-store.ts");
  const { hostShares } = await import("../../../shared/adapters/gate/host-shares.ts");
  const { hostStore } = await import("../../../shared/adapters/gate/host-store.ts");
  const { robotsStore } = await import("../../../shared/adapters/gate/robots-store.ts");
  const { validatorStore } = await import("../../../shared/adapters/gate/validator-store.ts");
  const { importJobStore } = await import("../../../shared/adapters/records/import-job-store.ts");
  const { sourceStatusStore } = await import("../../../shared/adapters/records/source-status-store.ts");
  const { driftedSources, qualityStore } = await import("../../../shared/deliver/stores/quality-store.ts");
  const { sourceRunStore } = await import("../../../shared/deliver/stores/source-run-store.ts");
  const { lookupStore } = await import("../../../shared/harvest/stores/lookup-store.ts");
  const { oaiHarvestStore } = await import("../../../shared/harvest/stores/oai-harvest-store.ts");
  const { waitingArticles } = await import("../../../shared/harvest/stores/waiting-articles.ts");
  const { capturedUrls } = await import("../../../shared/snapshots/stores/captured-urls.ts");
  const { snapshotStore } = await import("../../../shared/snapshots/stores/snapshot-store.ts");
  const { itemStore } = await import("../../../shared/harvest/stores/item-store.ts");
  const { keyedRequestStore } = await import("../../../shared/api/keyed-request-store.ts");
  const { leaseStore } = await import("../../../shared/adapters/aws/lease-store.ts");
  const { recordStore } = await import("../../../shared/adapters/records/record-store.ts");
  const { runStore } = await import("../../../shared/adapters/records/run-store.ts");
  const { validationRuleStore } = await import("../../../shared/deliver/stores/validation-rule-store.ts");
  const { recipeStore } = await import("../../../shared/harvest/stores/recipe-store.ts");
  const { sourceStore } = await import("../../../shared/adapters/records/source-store.ts");
  const stores = {
    archive: archiveStore(),
    records: recordStore(),
    documents: documentStore(),
    items: itemStore(),
    refusedRecords: refusedStore(),
    deliveries: deliveryStore(),
    reconversions: reconversionStore(),
    runs: runStore(),
    sources: sourceStore(),
    rules: validationRuleStore(),
    recipes: recipeStore(),
    leases: leaseStore(),
    keyedRequests: keyedRequestStore(),
    hosts: hostStore(),
    robots: robotsStore(),
    validators: validatorStore(),
    hostShares: hostShares(),
    lookups: lookupStore(),
    waiting: waitingArticles(),
    oaiHarvests: oaiHarvestStore(),
    status: sourceStatusStore(),
    sourceRuns: sourceRunStore(),
    quality: qualityStore(),
    driftedSources: driftedSources(),
    imports: importJobStore(),
    snapshots: snapshotStore(),
    capturedUrls: capturedUrls(),
  };
  const configuration = configurationStore();
  return { stores, configure: (item: ConfigurationItem) => configuration.put(item) };
}

function configureMemory(ports: MemoryPorts, item: ConfigurationItem): void {
  const { kind, id, value, addedBy, isUnannounced } = item;
  const parsed = (kind === "source" ? source : group).safeParse(value);
  const problem = String(parsed.error);
  if (kind === "source") {
    if (parsed.success)
      ports.sourcesById.set(id, {
        ...source.parse(value),
        ...(addedBy && { isAdded: true as const }),
        ...(isUnannounced && { isUnannounced }),
      });
    else ports.unusable.push({ sourceId: id, title: id, problem });
  } else if (parsed.success) ports.groups.set(id, group.parse(value));
  else ports.unusableGroups.push({ groupId: id, problem });
}

/** A moment of November 2026, or after it. */
export const time = (day: number) => new Date(Date.UTC(2026, 10, day)).toISOString();
export const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
