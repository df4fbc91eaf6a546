import { beforeAll, beforeEach, describe } from "vitest";
import { stateFolder, testCloud } from "./local-cloud.ts";
import { archiveCases } from "./stores/archive.ts";
import { deliveryCases } from "./stores/deliveries.ts";
import { documentCases } from "./stores/documents.ts";
import { gateCases } from "./stores/gate.ts";
import { importCases } from "./stores/imports.ts";
import { itemCases } from "./stores/items.ts";
import { keyedRequestCases } from "./stores/keyed-requests.ts";
import { leaseCases } from "./stores/leases.ts";
import { lookupCases } from "./stores/lookups.ts";
import { oaiHarvestCases } from "./stores/oai-harvests.ts";
import { qualityCases } from "./stores/quality.ts";
import { recipeCases } from "./stores/recipes.ts";
import { recordCases } from "./stores/records.ts";
import { refusedCases } from "./stores/refused-records.ts";
import { ruleCases } from "./stores/rules.ts";
import { runCases } from "./stores/runs.ts";
import { snapshotCases } from "./stores/snapshots.ts";
import { sourceStatusCases } from "./stores/source-statuses.ts";
import { sourceCases } from "./stores/sources.ts";
import { type StoreTest, storeImplementations } from "./stores/world.ts";

// One cloud for the cases of all stores: to start it takes longer than they do.
beforeAll(async () => {
  await testCloud(stateFolder(), { polling: false });
});

let ids = 0;

describe.each(storeImplementations)("the stores %s", (_where, open) => {
  const world = {} as StoreTest; // Whole before each test.
  beforeEach(async () => {
    ids += 1;
    Object.assign(world, await open(), { id: `id-${ids}` });
  });

  archiveCases(world);
  recordCases(world);
  refusedCases(world);
  ruleCases(world);
  recipeCases(world);
  deliveryCases(world);
  documentCases(world);
  itemCases(world);
  leaseCases(world);
  keyedRequestCases(world);
  runCases(world);
  sourceCases(world);
  sourceStatusCases(world);
  qualityCases(world);
  gateCases(world);
  lookupCases(world);
  oaiHarvestCases(world);
  importCases(world);
  snapshotCases(world);
});
