/**
 * What the domain needs from outside. `shared/aws` has one adapter per port. Every write may be repeated: the second time
 * changes nothing.
 */
import type { Delivery } from "./delivery/delivery.ts";
import type { Stage } from "./delivery/stages.ts";
import type { DocumentOutcome, Run, RunMode, RunState, SourceOutcome } from "./harvest/run.ts";
import type { RecordState, StoredRecord } from "./harvest/stored-record.ts";
import type { MarcRecord } from "./marc/record.ts";
import type { Group } from "./sources/group.ts";
import type { Settings } from "./sources/settings.ts";
import type { Source } from "./sources/source.ts";
import type { NewRequest } from "./web/request.ts";

/** A source whose configuration is not valid. */
export interface UnusableSource {
  sourceId: string;
  title: string;
  problem: string;
}

/** The configuration, read-only to the functions. What is not valid throws an InputError. */
export interface SourceStore {
  source(sourceId: string): Promise<Source | undefined>;
  /** All sources of a mode, the unusable apart: one bad item must not stop the others. */
  sourcesOf(mode: RunMode): Promise<{ sources: Source[]; unusable: UnusableSource[] }>;
  settings(): Promise<Settings>;
  group(groupId: string): Promise<Group | undefined>;
}

export interface SourceStatus {
  sourceId: string;
  /** ISO 8601; the first run that saw the source. */
  addedAt: string;
  /** ISO 8601; absent when nothing of the source was ever delivered. */
  lastDeliveredAt?: string;
}

export interface SourceStatusStore {
  statusOf(sourceId: string): Promise<SourceStatus | undefined>;
  /** Notes the first time that a source was seen; later times change nothing. */
  added(sourceId: string, at: string): Promise<void>;
  /** Moves the last delivery forward; never back. */
  delivered(sourceId: string, at: string): Promise<void>;
}

/** Two sets that only grow; a run, or a source of a run, is complete when they have the same size. */
export interface Tally {
  opened: number;
  closed: number;
}

export interface RunStore {
  /** Creates the run unless it exists, and gives the run as it is now. */
  create(run: Run): Promise<Run>;
  get(runId: string): Promise<Run | undefined>;
  /** Moves a run on from one of the states `from`; `false` when it is in none of them. */
  move(
    runId: string,
    from: RunState[],
    change: { state: RunState; finishedAt?: string; failure?: Run["failure"] },
  ): Promise<boolean>;
  /** One update, which may be repeated without harm. */
  count(runId: string, tally: string, add: { opened?: string[]; closed?: string[] }): Promise<Tally>;
  /** The ids that are opened and not closed. */
  open(runId: string, tally: string): Promise<string[]>;
  saveSource(runId: string, outcome: SourceOutcome): Promise<void>;
  sources(runId: string): Promise<SourceOutcome[]>;
  saveDocument(runId: string, outcome: DocumentOutcome): Promise<void>;
  documents(runId: string): Promise<DocumentOutcome[]>;
  /** The result of a finished stage. */
  stageResult<T>(runId: string, stage: Stage): Promise<T | undefined>;
  /** Keeps the result of a stage unless there is one, and gives the one that is kept: the first wins. */
  finishStage<T>(runId: string, stage: Stage, result: T): Promise<T>;
}

export interface RecordStore {
  /** Keeps the MARC record under a key of its own and gives the key. */
  keepMarc(recordId: string, record: MarcRecord): Promise<string>;
  marc(recordKey: string): Promise<MarcRecord>;
  /**
   * Writes what a run found out about the record; `true` when this run was the first. What the run has written before
   * and what is delivered stays as it is.
   */
  save(record: StoredRecord): Promise<boolean>;
  setState(
    recordId: string,
    state: RecordState,
    details?: { findings?: string[]; deliveryFile?: string },
  ): Promise<void>;
  get(recordId: string): Promise<StoredRecord | undefined>;
}

export interface ArchiveStore {
  /** Those of the keys that belong to a record delivered before, or about to be. */
  known(keys: string[]): Promise<Set<string>>;
  /** Claims a key for one record of one run; `false` when another has it. */
  claim(key: string, owner: string): Promise<boolean>;
  /** Notes on a claimed key that its record is delivered. */
  delivered(
    key: string,
    delivery: {
      owner: string;
      recordId: string;
      sourceId: string;
      title: string;
      file: string;
      deliveredAt: string;
    },
  ): Promise<void>;
}

export interface DeliveryStore {
  /** The first of the numbered names that is free, or that the same holder took before. */
  allocate(holder: string, nameOf: (number: number) => string): Promise<string>;
  upload(key: string, content: Uint8Array): Promise<void>;
  /** Keeps the delivery unless it is known, and gives the one that is kept. */
  save(delivery: Delivery): Promise<Delivery>;
  /** Newest first, of all groups. */
  list(limit: number): Promise<Delivery[]>;
}

export interface Requests {
  send(requests: NewRequest[]): Promise<void>;
}

export interface StageQueue {
  /** Asks for a stage of a run. */
  send(message: { runId: string }): Promise<void>;
}

export interface Deadlines {
  /** Asks for the delivery of a run at a time, whether the run is complete or not. */
  set(runId: string, at: string): Promise<void>;
}

export interface BodyStore {
  body(key: string): Promise<Uint8Array>;
}

/** A change that others may want to know of; `changeId` is the same when it is told twice. */
export interface DomainEvent {
  type: "document.new" | "delivery.new" | "run.finished" | "run.failed" | "network.down" | "network.up";
  changeId: string;
  detail: Record<string, unknown>;
}

export interface Events {
  publish(event: DomainEvent): Promise<void>;
}

export interface Mail {
  /** The same for the same mail, so that readers can recognise a repeated one. */
  messageId: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}
