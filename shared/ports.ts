/**
 * What the domain needs from outside. `shared/aws` has one adapter per port. Every write may be repeated: the second time
 * changes nothing.
 */

import type { RemoteError } from "./core/errors.ts";
import type { ArchiveClaim, ArchiveEntry, OperatorState } from "./archive/archive-entry.ts";
import type { DelinquentRecord } from "./delivery/delinquent/delinquent-record.ts";
import type { Checkpoint, StageRequest } from "./runs/stages.ts";
import type { Delivery } from "./delivery/plan/delivery.ts";
import type { SftpTransfer } from "./delivery/upload/transfer.ts";
import type { Authority } from "./harvest/authority/authority.ts";
import type { KnownReason } from "./archive/known-reason.ts";
import type { ListingResult } from "./harvest/listing.ts";
import type {
  ConvertedArticle,
  ArticleOutcome,
  Run,
  RunFailure,
  RunMode,
  RunState,
  SourceOutcome,
} from "./runs/run.ts";
import type { RecordState, StoredRecord } from "./documents/stored-record.ts";
import type { PastCheck } from "./links/check/check-history.ts";
import type { Collection, StoredCollection, UnusableCollection } from "./links/status/collection.ts";
import type { LinkStatus, LinkStatusValue, StatusChange } from "./links/status/link-status.ts";
import type { RecordLink } from "./links/status/record-link.ts";
import type { RecordCursor } from "./links/status/record-cursor.ts";
import type { StatusChangeType, LinkChange } from "./links/report/statistics.ts";
import type { RuleTest, RuleTestResult } from "./links/rule/rule-test.ts";
import type { LinkSample } from "./links/sweep/estimate.ts";
import type { SampleCursor } from "./links/sweep/sample-links.ts";
import type { CheckResult, Sweep } from "./links/sweep/sweep.ts";
import type { MarcRecord } from "./marc/record.ts";
import type { Group, SftpDestination } from "./sources/group.ts";
import type { Settings } from "./sources/settings.ts";
import type { Source } from "./sources/source.ts";
import type { Finding } from "./validation/finding.ts";
import type { RuleSubject, ValidationRule } from "./validation/rule.ts";
import type { HostState } from "./web/gate/host-state.ts";
import type { HostStatistics } from "./web/gate/host-statistics.ts";
import type { NewRequest } from "./web/gate/request.ts";
import type { InboundResponse } from "./web/gate/response.ts";

/** A source whose configuration is not valid. */
export interface UnusableSource {
  sourceId: string;
  title: string;
  problem: string;
}

/** A group whose configuration is not valid. */
export interface UnusableGroup {
  groupId: string;
  problem: string;
}

/** The configuration, read-only to the functions. What is not valid throws a ConfigError. */
export interface SourceStore {
  source(sourceId: string): Promise<Source | undefined>;
  /** All sources of a mode, the unusable apart: one bad item must not stop the others. */
  sourcesByMode(mode: RunMode): Promise<{ sources: Source[]; unusable: UnusableSource[] }>;
  /** Those sources that there are, of any mode, the unusable apart. */
  sourcesById(sourceIds: string[]): Promise<{ sources: Source[]; unusable: UnusableSource[] }>;
  settings(): Promise<Settings>;
  group(groupId: string): Promise<Group | undefined>;
  /** All groups, the unusable apart. */
  groups(): Promise<{ groups: Group[]; unusable: UnusableGroup[] }>;
}

export interface SourceStatus {
  sourceId: string;
  /** ISO 8601; the first live run that saw the source. */
  addedAt: string;
  /** ISO 8601; absent when nothing of the source was ever delivered. */
  lastDeliveredAt?: string;
}

export interface SourceStatusStore {
  statusOf(sourceId: string): Promise<SourceStatus | undefined>;
  /** Notes the first time that a source was seen; later times change nothing. */
  markAdded(sourceId: string, at: string): Promise<void>;
  /** Moves the last delivery forward; never back. */
  markDelivered(sourceId: string, at: string): Promise<void>;
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
  /** The runs of a mode that have not finished, oldest first; a run of the last seconds may be missing. */
  listUnfinished(mode: RunMode): Promise<Run[]>;
  /** The runs of a mode that started before the run `after`, newest first; a run of the last seconds may be missing. */
  listLatest(mode: RunMode, page: { limit: number; after?: Run | undefined }): Promise<Run[]>;
  /** Moves a run on from one of the states `from`; `false` when it is in none of them. */
  changeState(
    runId: string,
    from: RunState[],
    change: { state: RunState; finishedAt?: string; failure?: RunFailure },
  ): Promise<boolean>;
  /** One update, which may be repeated without harm. */
  updateTally(runId: string, tally: string, add: { opened?: string[]; closed?: string[] }): Promise<Tally>;
  /** The ids that are opened and not closed. */
  openIds(runId: string, tally: string): Promise<string[]>;
  /** Those of the requests that are the claimant's to send: a request that two listings lead to belongs to the first. */
  claimRequests(
    runId: string,
    sourceId: string,
    claim: { ids: string[]; claimant: string },
  ): Promise<Set<string>>;
  /** How a source fared with a listing that leads to nothing; the first that is told of it stands. */
  saveListingOutcome(runId: string, listingId: string, outcome: SourceOutcome): Promise<void>;
  /** Settles what a listing leads to, unless that is settled, and gives what is: the first wins. */
  storeListingResult(runId: string, listingId: string, listing: ListingResult): Promise<ListingResult>;
  listingResult(runId: string, sourceId: string, listingId: string): Promise<ListingResult | undefined>;
  /** How each source fared, by all its listings. */
  sourceOutcomes(runId: string): Promise<SourceOutcome[]>;
  saveArticle(runId: string, outcome: ArticleOutcome): Promise<void>;
  /** What became of each document, page by page, those of a source together. */
  articlePages(runId: string): AsyncIterable<ArticleOutcome[]>;
  /** The result of a finished stage. */
  stageResult<T>(runId: string, stage: Checkpoint): Promise<T | undefined>;
  /** Keeps the result of a stage unless there is one, and gives the one that is kept: the first wins. */
  finishStage<T>(runId: string, stage: Checkpoint, result: T): Promise<T>;
  /** Keeps a part of a list that is too long for one result, and gives its key. */
  storePart(runId: string, items: readonly object[]): Promise<string>;
  loadPart<Item>(key: string): Promise<Item[]>;
}

export interface RecordStore {
  /** Keeps the MARC record under a key of its own and gives the key. */
  storeMarc(recordId: string, record: MarcRecord): Promise<string>;
  loadMarc(recordKey: string): Promise<MarcRecord>;
  /**
   * Writes what a run found out about the record; `true` when this run was the first. What the run has written before
   * and what is delivered stays as it is; a live run takes over what test runs have written, and never the other way round.
   */
  save(record: StoredRecord): Promise<boolean>;
  /** Changes the state of a record that was written in this mode, and is not delivered. */
  setState(
    record: Pick<StoredRecord, "recordId" | "deliveryMode">,
    state: RecordState,
    details?: { findings?: string[]; deliveryFile?: string },
  ): Promise<void>;
  /** Makes a record that was delivered in this mode one that may be harvested and delivered anew. */
  resetDelivered(record: Pick<StoredRecord, "recordId" | "deliveryMode">): Promise<void>;
  get(recordId: string): Promise<StoredRecord | undefined>;
}

export interface ArchiveStore {
  /** Those of the keys whose record is not to be harvested or delivered (again), and why. */
  knownReasons(keys: string[], read?: { isConsistent: boolean }): Promise<ReadonlyMap<string, KnownReason>>;
  /**
   * Claims a key for a record; `false` when another has it and is neither expired by the time `at` nor in a state that
   * gives it away. A claim repeated by its owner holds, and changes nothing. Of what described the record before, the file of
   * its delivery stays.
   */
  claim(key: string, claim: ArchiveClaim, at: Date): Promise<boolean>;
  /** Frees a key that the owner has claimed; nothing happens when it is another's by now. */
  releaseClaim(key: string, owner: string): Promise<void>;
  /** Keeps what became of a record under its entry key, for its owner; what an operator has made of it since stays. */
  saveEntry(entry: Omit<ArchiveEntry, "expiresAt">): Promise<void>;
  /** The record that has this key; undefined when none has it. */
  entry(key: string): Promise<ArchiveEntry | undefined>;
  /** Changes the state of a key for good, unless it has another owner. */
  setState(key: string, owner: string, state: OperatorState): Promise<void>;
}

/** Who uploads a run, and until when nobody else may; milliseconds since 1970. */
export interface UploadLease {
  runId: string;
  holder: string;
  untilMs: number;
}

export interface DeliveryStore {
  /** The first of the numbered names that is free, or that the same holder took before. */
  claimFileName(holder: string, nameOf: (number: number) => string): Promise<string>;
  /** Writes a file of any size and gives its size in bytes. */
  writeFile(key: string, content: AsyncIterable<Uint8Array>, contentType: string): Promise<number>;
  readFile(key: string): AsyncIterable<Uint8Array>;
  /** Takes the upload of a run, unless another holds it at the time `nowMs`; gives the time at which it is free. */
  claimLease(lease: UploadLease, nowMs: number): Promise<number>;
  /** Ends a lease, unless another has it by now. */
  releaseLease(lease: UploadLease): Promise<void>;
  /** How far the sending of a file has come, as it was noted last. */
  transfer(fileName: string): Promise<SftpTransfer | undefined>;
  saveTransfer(fileName: string, sending: SftpTransfer): Promise<void>;
  /** Keeps the delivery unless it is known, and gives the one that is kept. */
  save(delivery: Delivery): Promise<Delivery>;
  /** Those of all groups, newest first; from after the place `after` on, where that is given. */
  list(page: { limit: number; after?: string | undefined }): Promise<Delivery[]>;
}

/** The files of a receiver, while we are logged in. Paths are relative to where the login leads. */
export interface SftpSession {
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** In bytes; `undefined` when there is no such file. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Gives the receiver's refusal; throws when it is not known whether it has done so. */
  rename(from: string, to: string): Promise<RemoteError | undefined>;
  /** Gives the receiver's refusal. Nothing happens when there is no such file. */
  remove(path: string): Promise<RemoteError | undefined>;
}

export type SftpOutcome = { type: "done" } | { type: "failed"; reason: string };

export interface Sftp {
  /** Logs in as the group, does the work and logs out. What the receiver does not let us do is an outcome. */
  withSession(
    to: { groupId: string; destination: SftpDestination },
    work: (session: SftpSession) => Promise<void>,
  ): Promise<SftpOutcome>;
}

/** Passwords and keys. */
export interface Secrets {
  /** @throws ConfigError when there is no such secret */
  secret(name: string): Promise<string>;
}

/** Collections, and where they stand. */
export interface CollectionStore {
  get(collectionId: string): Promise<StoredCollection | undefined>;
  /** All collections, the unusable apart: one bad item must not stop the others. */
  all(): Promise<{ collections: Collection[]; unusable: UnusableCollection[] }>;
  /** What searches go by; also of one that is not valid. */
  status(collectionId: string): Promise<LinkStatusValue>;
  /** Creates or changes a collection; its `hold` stays as it is. */
  save(collection: Omit<Collection, "hold">): Promise<void>;
  /**
   * Holds a collection or ends that, and keeps the change, if there is one, until it is told; nothing happens to one that
   * is held, or not, already, or that there is none of.
   * @returns the changes that are still to be told, oldest first
   */
  setHold(collectionId: string, hold: boolean, change: StatusChange | undefined): Promise<StatusChange[]>;
  /** Removes what operators say of a collection, and where it stands. May be done twice. */
  remove(collectionId: string): Promise<void>;
  /** Forgets changes that `setHold` has given, unless there are others by now. */
  clearPendingNotifications(collectionId: string, told: StatusChange[]): Promise<void>;
  linkStatus(collectionId: string): Promise<LinkStatus | undefined>;
  /** By collection; those that no check has found wanting have none. */
  linkStatuses(): Promise<Map<string, LinkStatus>>;
  /** Writes a link status if it is still the one that was read; `false` otherwise. */
  replaceLinkStatus(collectionId: string, linkStatus: LinkStatus, was: LinkStatus | undefined): Promise<boolean>;
}

/** The records as link checking sees them. Lists lag behind a little. */
export interface LinkRecords {
  get(recordId: string): Promise<RecordLink | undefined>;
  /** By syndication date; deleted records are left out. */
  oldest(collectionId: string, count: number): Promise<RecordLink[]>;
  newest(collectionId: string, count: number): Promise<RecordLink[]>;
  /** By id, that is, at random; all of them. */
  listInIdOrder(
    collectionId: string,
    from: { after?: string | undefined; limit: number },
  ): Promise<Pick<RecordLink, "recordId" | "landingUrl" | "link">[]>;
  /** Those whose attempt was due before a time (ISO 8601), of all collections, the longest overdue first, a page at a time. */
  overduePages(
    before: string,
  ): AsyncIterable<Pick<RecordLink, "recordId" | "collectionId" | "landingUrl" | "link">[]>;
  /**
   * The active records, newest first, those that follow a place; `next` is where the following part begins, absent at the
   * end. Where many are suppressed, a part may be short and yet not the last.
   */
  list(
    collectionId: string,
    from: { limit: number; after?: RecordCursor | undefined },
  ): Promise<{ items: RecordLink[]; next?: RecordCursor }>;
  /** Writes a record's link status if it is still the one that was read; `false` otherwise. */
  replaceLinkStatus(was: Pick<RecordLink, "recordId" | "collectionId" | "link">, linkStatus: LinkStatus): Promise<boolean>;
  /** Notes that a check is asked for, unless one was after `notSince`; `false` then. */
  claimCheck(recordId: string, claim: { askedAt: string; notSince: string }): Promise<boolean>;
  /** Forgets that a check was asked for at this time; nothing happens when another has been since. */
  releaseCheck(recordId: string, askedAt: string): Promise<void>;
}

export interface SweepStore {
  /** Keeps a sweep unless it is known, and gives the one that is kept. */
  create(sweep: Sweep): Promise<Sweep>;
  /** Adds a result, the first of each check, and gives the sweep with all that are known; nothing for an unknown one. */
  addResult(sweepId: string, checkId: string, result: CheckResult): Promise<Sweep | undefined>;
}

export interface LinkHistory {
  /** The first one of a check stays. */
  add(check: PastCheck): Promise<void>;
  /** Of a record, newest first. */
  latest(recordId: string, limit: number): Promise<PastCheck[]>;
}

export interface LinkStatistics {
  add(change: LinkChange): Promise<void>;
  ofDay(day: string): Promise<LinkChange[]>;
  ofCollection(collectionId: string, day: string): Promise<LinkChange[]>;
}

/** The random samples by which dead links are estimated. */
export interface LinkSamples {
  add(sample: LinkSample): Promise<void>;
  /** Of the days from the first to the last, both included. */
  between(collectionId: string, days: { from: string; to: string }): Promise<LinkSample[]>;
  cursor(collectionId: string): Promise<SampleCursor | undefined>;
  saveCursor(collectionId: string, cursor: SampleCursor): Promise<void>;
}

/** Checks that are asked for at a later time: of the same request there is one. */
export interface Rechecks {
  schedule(time: string, request: NewRequest): Promise<void>;
}

export interface RuleTestStore {
  create(test: RuleTest): Promise<void>;
  finish(testId: string, result: RuleTestResult): Promise<void>;
  get(testId: string): Promise<RuleTest | undefined>;
}

export interface ValidationRuleStore {
  /** @throws ConfigError for a rule that is not valid: to go on without it would let records through unseen */
  rules(): Promise<ValidationRule[]>;
  /**
   * The first rules after that of the key `after`, in the order of their keys; of one source when that is given.
   * @throws ConfigError as above
   */
  page(of: {
    source?: string | undefined;
    limit: number;
    after?: string | undefined;
  }): Promise<ValidationRule[]>;
  /** Writes the rule in the place of the one about the same. */
  put(rule: ValidationRule): Promise<void>;
  /** `false` when there is none. */
  remove(subject: RuleSubject): Promise<boolean>;
}

/** The records that validation has refused, by delivery mode and source, until a run takes them up again. */
export interface DelinquentStore {
  /** Lists a record for as long as a refusal counts, in place of what an earlier run listed of it; not when a later one has, or when it is released. */
  save(record: DelinquentRecord): Promise<void>;
  /** Writes other findings of a record; `false` when a run has listed it anew or taken it off, or it is released. */
  updateFindings(record: DelinquentRecord): Promise<boolean>;
  /** The ids of those documents whose records are listed. */
  listedIds(mode: RunMode, documents: ConvertedArticle[]): Promise<Set<string>>;
  /** Those of a mode that are released, page by page; one of the last seconds may be missing. */
  releasedPages(mode: RunMode): AsyncIterable<DelinquentRecord[]>;
  /** Those of a source in the order of their ids, with the first of their findings. */
  listBySource(
    mode: RunMode,
    sourceId: string,
    page: { limit: number; after?: string | undefined },
  ): Promise<DelinquentRecord[]>;
  /** One record with the first of its findings. */
  get(mode: RunMode, sourceId: string, recordId: string): Promise<DelinquentRecord | undefined>;
  /** All findings of a listed record. */
  findings(record: DelinquentRecord): Promise<Finding[]>;
  /** Notes that the record may be delivered; the first time counts. `false` when it is not listed any more. */
  release(record: DelinquentRecord, released: NonNullable<DelinquentRecord["released"]>): Promise<boolean>;
  /**
   * Takes a record off the list, unless a run that started after `upTo` has listed it; one that is released only where it
   * says so.
   */
  remove(
    record: Pick<DelinquentRecord, "deliveryMode" | "article">,
    only: { upTo: string; includesReleased: boolean },
  ): Promise<void>;
}

export interface RequestQueue {
  send(requests: NewRequest[]): Promise<void>;
}

/** What the gate knows of hosts, and what it did with them. Hosts are named by their keys. */
export interface HostReader {
  /** Undefined for a host that was not asked for months. */
  state(hostKey: string): Promise<HostState | undefined>;
  /** In the order of the days; those on which it was not asked are left out. */
  statistics(hostKey: string, days: string[]): Promise<{ day: string; numbers: HostStatistics }[]>;
}

/** What the authority file (GND) answered before, by the id of the lookup. */
export interface AuthorityStore {
  /** Answers that are out of date are left out. */
  cached(lookupIds: string[]): Promise<ReadonlyMap<string, Authority>>;
  /** Keeps an answer for so long, unless there is one that is not out of date. */
  store(lookupId: string, authority: Authority, until: Date): Promise<void>;
}

/** Answers to requests for articles that are read again when names in them were looked up. */
export interface WaitingArticles {
  add(runId: string, response: InboundResponse, lookupIds: string[]): Promise<void>;
  /** Those that wait for a lookup, each with all the lookups that it waits for. */
  waitingFor(runId: string, lookupId: string): Promise<{ response: InboundResponse; lookupIds: string[] }[]>;
}

export interface ArticleQueue {
  /** Has an answer to a request for an article read (once more). */
  send(response: InboundResponse): Promise<void>;
}

export interface StageQueue {
  /** Asks for a stage of a run. */
  send(message: StageRequest): Promise<void>;
}

export interface MailReadingQueue {
  /** Asks for the received mails of a source to be read. */
  send(message: { id: string; runId: string; sourceId: string }): Promise<void>;
}

/** What is kept of a received message. */
export interface ReadMessage {
  subject: string;
  links: string[];
}

/** The bucket of received mails, and what the sources have read of it. */
export interface ReceivedMail {
  /** The messages that a source has not read, oldest first. */
  unread(sourceId: string): Promise<{ key: string; sizeBytes: number }[]>;
  message(key: string): Promise<Uint8Array>;
  /** Notes that a source has read a message, and what it said; the first note stands. */
  markRead(sourceId: string, key: string, message: ReadMessage): Promise<void>;
  /** The messages that a source has read since a time (ISO 8601). */
  readSince(sourceId: string, since: string): Promise<ReadMessage[]>;
}

export interface Deadlines {
  /** Asks for the delivery of a run at a time, whether the run is complete or not. */
  schedule(runId: string, at: string): Promise<void>;
}

export interface BodyReader {
  load(key: string): Promise<Uint8Array>;
}

export interface BodyWriter {
  /** Keeps a body and gives its key. */
  store(exchangeId: string, content: Uint8Array, contentType?: string): Promise<string>;
}

/** A change that others may want to know of; `changeId` is the same when it is told twice. */
export interface DomainEvent {
  type:
    | "document.new"
    | "delivery.new"
    | "run.finished"
    | "run.failed"
    | "network.down"
    | "network.up"
    | `record.${StatusChangeType}`
    | `collection.${StatusChangeType}`;
  changeId: string;
  detail: Record<string, unknown>;
}

export interface Events {
  publish(event: DomainEvent): Promise<void>;
}

export interface Mail {
  /** The same for the same mail, so that a repeated one can be recognised: its header `X-Ingather-Mail-Id`. */
  id: string;
  /** They do not see each other. */
  to: string[];
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Sends a mail to each of its recipients once: who has had the mail of this id is left out. */
  send(mail: Mail): Promise<void>;
}

/** Who has had which mail. */
export interface SentMails {
  /** Takes the sending of a mail until a time, and gives who has had it; nothing while another has taken it. */
  claim(mailId: string, at: { nowMs: number; untilMs: number }): Promise<ReadonlySet<string> | undefined>;
  /** Notes who has had it, and goes on having it taken. */
  markSent(mailId: string, to: string[], untilMs: number): Promise<void>;
  /** Ends the taking that lasts until this time; nothing happens when it has run out and another has taken the mail. */
  release(mailId: string, untilMs: number): Promise<void>;
}
