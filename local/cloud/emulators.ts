import type { Service } from "./service.ts";

export interface Emulators {
  readonly sqs: Service;
  readonly s3: Service;
  readonly dynamodb: Service;
  depth(queueName: string): Promise<QueueDepth>;
  /** Ends all long polls now. */
  endLongPolls(): void;
  /**
   * Returns when a message of these queues can be received, in milliseconds since the epoch: 0 if one can be now, Infinity
   * if there is none. Absent if unknown.
   */
  nextReceivableMs?(queueNames: readonly string[]): number;
}

/** The number of messages in a queue, by state. */
export interface QueueDepth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}
