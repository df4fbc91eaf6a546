import { Heap } from "../shared/web/scheduler/heap.ts";
import type { Load } from "./makespan-loads.ts";

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const sqsLimits = {
  /** Messages per receive, per deletion and per change of visibility. */
  batch: 10,
  /** Messages of a FIFO queue that are received and not deleted, including those with a visibility timeout. */
  inFlight: 120_000,
  /** SQS looks for groups among this number of messages from the front. @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/avoid-backlog-with-the-same-message-group-id.html */
  scanned: 120_000,
};

/** Which open group is served next. AWS does not specify it; both are simulated. */
export type Pick = "oldest message" | "random group";

/** The messages of one host in a batch. */
export interface HostBatch {
  host: number;
  /** The number of the first request. */
  from: number;
  count: number;
}

/** A FIFO queue with one message group per host. A message is identified by the number of its request. */
export class FifoQueue {
  maxInFlight = 0;
  maxReceives = 0;
  private inFlight = 0;
  private deleted = 0;
  private readonly load: Load;
  /** The position of each request in the order of sending. */
  private readonly positionOf: Uint32Array;
  private readonly receives: Uint16Array;
  /** The first undeleted request of each host. */
  private readonly next: Uint32Array;
  /** Open groups; those behind the scanned messages are in another heap. */
  private readonly open = new Heap<number>((a, b) => this.rankOf(a) < this.rankOf(b));
  private readonly outOfReach = new Heap<number>((a, b) => this.headPosition(a) < this.headPosition(b));
  /** The open group with the lowest rank is served next. */
  private readonly ranks: Float64Array;
  private readonly nextRank: (position: number) => number;

  /** @param sent the numbers of the requests in the order of sending */
  constructor(load: Load, sent: Uint32Array, options: { pick: Pick; random: () => number }) {
    this.load = load;
    this.positionOf = new Uint32Array(load.requests);
    for (const [position, request] of sent.entries()) this.positionOf[request] = position;
    this.receives = new Uint16Array(load.requests);
    this.next = load.firstOf.slice();
    this.ranks = new Float64Array(load.hosts);
    this.nextRank = options.pick === "oldest message" ? (position) => position : options.random;
    for (const host of new Set(sent.map((request) => load.hostOf[request] ?? 0))) this.reopen(host);
  }

  /** Receives up to ten messages: those of one open group, then of the next. A received group is closed. */
  receive(): HostBatch[] {
    const batch: HostBatch[] = [];
    let room = Math.min(sqsLimits.batch, sqsLimits.inFlight - this.inFlight);
    this.openReachable();
    while (room > 0) {
      const host = this.open.shift();
      if (host === undefined) break;
      const taken = this.take(host, room);
      room -= taken.count;
      batch.push(taken);
    }
    return batch;
  }

  /** Deletes the first of the received messages. The others stay hidden. */
  delete(host: number, count: number): void {
    this.next[host] = (this.next[host] ?? 0) + count;
    this.inFlight -= count;
    this.deleted += count;
  }

  /** Ends the visibility timeout of a host's `count` remaining messages. */
  makeVisible(host: number, count: number): void {
    this.inFlight -= count;
    this.reopen(host);
  }

  private take(host: number, room: number): HostBatch {
    const from = this.next[host] ?? 0;
    const end = Math.min(this.load.firstOf[host + 1] ?? 0, from + room);
    let request = from;
    while (request < end && (this.positionOf[request] ?? 0) < this.reachableUpTo) {
      const receives = (this.receives[request] ?? 0) + 1;
      this.receives[request] = receives;
      this.maxReceives = Math.max(this.maxReceives, receives);
      request++;
    }
    this.inFlight += request - from;
    this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
    return { host, from, count: request - from };
  }

  /** Opens the groups whose first message is among the scanned ones. */
  private openReachable(): void {
    for (let host = this.outOfReach.first(); host !== undefined; host = this.outOfReach.first()) {
      const position = this.headPosition(host);
      if (position >= this.reachableUpTo) return;
      this.outOfReach.shift();
      this.ranks[host] = this.nextRank(position);
      this.open.push(host);
    }
  }

  private reopen(host: number): void {
    if (this.next[host] !== this.load.firstOf[host + 1]) this.outOfReach.push(host);
  }

  private rankOf(host: number): number {
    return this.ranks[host] ?? 0;
  }

  private headPosition(host: number): number {
    return this.positionOf[this.next[host] ?? 0] ?? 0;
  }

  /** Every deletion adds one message to the scanned ones. */
  private get reachableUpTo(): number {
    return sqsLimits.scanned + this.deleted;
  }
}
