import type { SQSRecord } from "aws-lambda";
import { failedMessages } from "../adapters/aws/failed-messages.ts";
import { budgets } from "../core/budgets.ts";
import { isOutage, ThrottledError } from "../core/errors.ts";
import { truncateToBytes } from "../core/truncate-text.ts";
import { textWithoutCredentials } from "../core/url-credentials.ts";
import { loggedFaults } from "../names.ts";
import type { FailedMessages } from "../records/messages/failed-message.ts";
import { errorFields, log } from "./log.ts";
import { messageSubject } from "./message-subject.ts";

/** The number of receives after which a message is quarantined, if Ingather's own code fails on it. */
export const messageTries = 5;

/** The number of attempts that may end their function (by memory or timeout) before a message is quarantined. */
const maxDeaths = 3;

/**
 * Quarantines messages that always fail, so that nothing waits for them. Errors of AWS and of the deployment say
 * nothing about a message. After such errors, the message is retried as often as its queue permits, and then becomes a
 * dead letter. From the fifth receive, an attempt is noted before it begins, because a message that ends its function
 * leaves no other trace.
 */
export class Quarantine {
  private store: FailedMessages | undefined;

  /** Decides whether a message has failed so often that it may be quarantined. */
  isSuspect(record: SQSRecord): boolean {
    return receivesOf(record) >= messageTries;
  }

  /** Makes an attempt for a suspect message. @throws Error when earlier attempts have ended the function */
  async try(record: SQSRecord, work: () => Promise<void>): Promise<void> {
    if (!this.isSuspect(record)) return work();
    this.store ??= failedMessages();
    const deaths = (await this.store.beginTry(idOf(record))) - 1;
    if (deaths >= maxDeaths)
      throw new Error(
        `the function ended ${deaths} times while it processed this message, because it ran out of memory or time`,
      );
    try {
      await work();
    } finally {
      await this.store.endTry(idOf(record));
    }
  }

  /** Decides whether this failure of a message is its last one. */
  isLast(record: SQSRecord, error: unknown): boolean {
    return this.isSuspect(record) && !isOutage(error) && !(error instanceof ThrottledError);
  }

  /**
   * Stores a message with the reason, after the work that waits for the message has been ended. Attempts that have ended the
   * function stay noted until they expire: if the message comes again, it is not tried again.
   * @returns false when the message could not be stored, so that it stays in its queue
   */
  async put(record: SQSRecord, error: unknown, settle: (reason: string) => Promise<void>): Promise<boolean> {
    const reason = describeError(error);
    const { messageId, body, eventSourceARN } = record;
    const queue = eventSourceARN.split(":").at(-1) ?? "";
    try {
      const unsettled = await trySettle(settle, reason);
      this.store ??= failedMessages();
      await this.store.save({
        id: idOf(record),
        messageId,
        queue,
        reason,
        receives: receivesOf(record),
        failedAt: new Date().toISOString(),
        subject: messageSubject(body),
        ...(unsettled !== undefined && { unsettled }),
        body,
      });
      log("error", loggedFaults.messageFailed, { messageId, queue, ...messageSubject(body), detail: reason });
      return true;
    } catch (failure) {
      log("error", "the message could not be quarantined", { messageId, ...errorFields(failure) });
      return false;
    }
  }
}

/** @returns the reason why the work that waits for a message could not be ended */
async function trySettle(
  settle: (reason: string) => Promise<void>,
  reason: string,
): Promise<string | undefined> {
  try {
    await settle(reason);
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

function idOf({ messageId, attributes }: SQSRecord): string {
  return `${attributes.SentTimestamp}-${messageId}`;
}

/** The number of times that SQS has delivered a message, including this one. */
export function receivesOf({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}

function describeError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return truncateToBytes(textWithoutCredentials(text), budgets.reasonBytes);
}
