import type { Service } from "./service.ts";

export interface Emulators {
  readonly sqs: Service;
  readonly s3: Service;
  readonly dynamodb: Service;
  depth(queueName: string): Promise<QueueDepth>;
  /** Ends all long polls now. */
  endLongPolls(): void;
  /** Returns when the next hidden message becomes visible; undefined if none is hidden. Absent if unknown. */
  nextVisibleMs?(): number | undefined;
}

/** The number of messages in a queue, by state. */
export interface QueueDepth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}
