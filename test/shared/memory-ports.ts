import { memoryLookups, memoryWaiting } from "../../local/cli/memory/lookups.ts";
import { memoryOaiHarvests } from "../../local/cli/memory/oai-harvests.ts";
import { memoryRecords } from "../../local/cli/memory/records.ts";
import { memoryRuns, valuesOfRun } from "../../local/cli/memory/runs.ts";
import type { RemoteError } from "../../shared/core/errors.ts";
import type { SourceDrifts, SourceQuality } from "../../shared/deliver/quality/drift.ts";
import type { RefusedRecord } from "../../shared/deliver/refused/refused-record.ts";
import type { SourceRun } from "../../shared/deliver/report/source-runs.ts";
import type { Delivery } from "../../shared/deliver/stage-results/delivery.ts";
import type { SftpTransfer } from "../../shared/deliver/stage-results/transfer.ts";
import type { ValidationRule } from "../../shared/deliver/validation/rule.ts";
import type { Item } from "../../shared/harvest/items/item.ts";
import type { LookupAnswer } from "../../shared/harvest/lookups/lookup-answer.ts";
import type { OaiHarvestState } from "../../shared/harvest/oai-state/harvest-state.ts";
import type { MarcRecord } from "../../shared/marc/record.ts";
import type { ArchiveClaim, ArchiveEntry } from "../../shared/records/archive/archive-entry.ts";
import type { Document, DocumentContent } from "../../shared/records/documents/document.ts";
import type { StoredRecord } from "../../shared/records/documents/stored-record.ts";
import type { DomainEvent } from "../../shared/records/events/events.ts";
import type { Mail } from "../../shared/records/mail/mailer.ts";
import type { Reconversion } from "../../shared/records/reconversions/reconversion.ts";
import type { DocumentOutcome, Run, SourceOutcome } from "../../shared/records/runs/run.ts";
import { type Group, group, type NewGroup } from "../../shared/records/sources/group.ts";
import type { StoredSource } from "../../shared/records/sources/source.ts";
import type { SourceStatus } from "../../shared/records/sources/source-status.ts";
import type { UnusableGroup, UnusableSource } from "../../shared/records/sources/source-store.ts";
import { assertEvent } from "./assert-event.ts";
import { memoryArchive } from "./memory/archive.ts";
import { memoryRules, memorySourceRuns, memorySources, memoryStatus } from "./memory/configuration.ts";
import { memoryDeliveries } from "./memory/deliveries.ts";
import { memoryDocuments } from "./memory/documents.ts";
import { memoryItems } from "./memory/items.ts";
import { memoryLeases } from "./memory/leases.ts";
import { memoryPages } from "./memory/pages.ts";
import { memoryQuality } from "./memory/quality.ts";
import { memorySftp } from "./memory/receiver.ts";
import { memoryRecipes } from "./memory/recipes.ts";
import { memoryReconversions } from "./memory/reconversions.ts";
import { memoryRefusedRecords } from "./memory/refused-records.ts";
import { Writes } from "./memory/writes.ts";
import { MemoryConfiguration } from "./records/sources/memory-configuration.ts";

/**
 * The ports in memory, with the promises that the ports make. `dieAfter` lets the process die at the n-th write,
 * before it or after it is done.
 */
export class MemoryPorts {
  readonly sourcesById = new Map<string, StoredSource>();
  readonly unusable: UnusableSource[] = [];
  readonly unusableGroups: UnusableGroup[] = [];
  readonly groups = new Map<string, Group>();
  readonly statuses = new Map<string, SourceStatus>();
  readonly runsById = new Map<string, Run>();
  readonly listings = new Map<string, SourceOutcome>();
  readonly listingResults = new Map<string, string>();
  readonly claims = new Map<string, string>();
  readonly documentOutcomes = new Map<string, DocumentOutcome>();
  readonly resolvedPages = new Map<string, DocumentOutcome[]>();
  readonly deliveredPages = new Map<string, string>();
  readonly tallies = new Map<string, { opened: Set<string>; closed: Set<string> }>();
  readonly results = new Map<string, string>();
  readonly recordsById = new Map<string, StoredRecord>();
  readonly marcByKey = new Map<string, MarcRecord>();
  readonly documentsByKey = new Map<string, Document>();
  readonly itemsByKey = new Map<string, Item>();
  readonly contents = new Map<string, DocumentContent>();
  readonly archived = new Map<string, ArchiveClaim & Partial<ArchiveEntry>>();
  readonly parts = new Map<string, string>();
  readonly lookupsById = new Map<string, { answer: LookupAnswer; until: Date }>();
  readonly fileNames = new Map<string, string>();
  readonly transfers = new Map<string, SftpTransfer>();
  readonly files = new Map<string, Uint8Array>();
  readonly deliveriesByKey = new Map<string, Delivery>();
  readonly validationRules = new Map<string, ValidationRule>();
  readonly refusedByKey = new Map<string, RefusedRecord>();
  readonly reconversionsById = new Map<string, Reconversion>();
  readonly storedPages = new Map<string, Uint8Array>();
  readonly mails: Mail[] = [];
  readonly published: DomainEvent[] = [];
  now = new Date("2026-11-20T19:00:00Z");

  readonly clock = { now: () => this.now, sleep: () => Promise.resolve() };

  private readonly writes = new Writes();
  dieAfter(writes: number, when: { before: boolean }): void {
    this.writes.dieAfter(writes, when);
  }

  live(): void {
    this.writes.revive();
  }

  readonly sources = memorySources(this);
  readonly configuration = new MemoryConfiguration();
  readonly status = memoryStatus(this, this.writes.write);
  readonly sourceRunsByKey = new Map<string, SourceRun>();
  readonly sourceRuns = memorySourceRuns(this, this.writes.write);
  readonly qualityByKey = new Map<string, SourceQuality>();
  readonly driftsById = new Map<string, SourceDrifts>();
  readonly quality = memoryQuality(this, this.writes.write);

  readonly runs = this.writes.killable(memoryRuns(this), [
    "create",
    "changeState",
    "updateTally",
    "claimRequests",
    "saveListingOutcome",
    "storeListingResult",
    "saveOutcome",
    "saveOutcomeBatch",
    "markBatchDelivered",
    "finishStage",
    "storePart",
  ]);
  readonly records = memoryRecords(this, this.writes.write);
  readonly documents = memoryDocuments(this, this.writes.write);
  readonly oaiHarvestStates = new Map<string, OaiHarvestState>();
  readonly oaiHarvests = this.writes.killable(memoryOaiHarvests(this.oaiHarvestStates), ["save"]);
  readonly items = memoryItems(this, this.writes.write);
  readonly archive = memoryArchive(this, this.writes.write);
  readonly lookups = memoryLookups(this.clock, this.lookupsById, this.writes.write);
  readonly waiting = memoryWaiting(this.writes.write);
  readonly deliveries = memoryDeliveries(this, this.writes.write);
  readonly leases = memoryLeases(this.writes.write);
  readonly reconversions = memoryReconversions(this.reconversionsById, this.writes.write);
  readonly pages = memoryPages(this.storedPages, this.writes.write);

  // What receivers hold, and how they fail: see `Receiver`.

  readonly remote = new Map<string, Uint8Array>();
  readonly received: [path: string, content: Uint8Array][] = [];
  readonly deadReceivers = new Map<string, string>();
  refusal: RemoteError | undefined;
  clearingRefusal: RemoteError | undefined;
  clearsAway = false;
  readonly sftp = memorySftp(this, this.writes.write);

  readonly rules = memoryRules(this, this.writes.write);
  readonly recipesById = new Map<string, string>();
  readonly recipes = memoryRecipes(this, this.writes.write);
  readonly refusedRecords = memoryRefusedRecords(this, this.writes.write);

  readonly mailer = { send: (mail: Mail) => this.writes.write(() => void this.mails.push(mail)) };
  readonly events = {
    publish: (event: DomainEvent) => {
      assertEvent(event);
      return this.writes.write(() => void this.published.push(event));
    },
  };

  /** What became of the documents of a run. */
  documentOutcomesOf(runId: string): DocumentOutcome[] {
    return valuesOfRun(this.documentOutcomes, runId);
  }

  addGroup(groupId: string, more: Partial<NewGroup> = {}): void {
    const value = { groupId, isil: "XX-1", userAgent: "test", outputFolder: groupId.toLowerCase() };
    this.groups.set(groupId, group.parse({ ...value, ...more }));
  }
}
