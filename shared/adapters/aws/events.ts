import type { PutEventsCommandOutput } from "@aws-sdk/client-eventbridge";
import { combine } from "../../core/combine.ts";
import { PlatformError } from "../../core/errors.ts";
import { eventSource } from "../../names.ts";
import type { DomainEvent, Events } from "../../records/events/events.ts";
import { variable } from "./environment.ts";

/**
 * The largest number of entries of one call. @see
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
const maxEntries = 10;

/** Publishes events. Events that are published at the same time are sent together. */
export function events(): Events {
  return { publish: combine(putEvents, maxEntries) };
}

/**
 * Sends events. If the bus refuses an event of a batch, each event of the batch is sent again separately. @throws
 * PlatformError that names the refused event
 */
async function putEvents(published: DomainEvent[]): Promise<undefined[]> {
  const { Entries = [], FailedEntryCount = 0 } = await send(published);
  if (FailedEntryCount > 0) {
    const refused = Entries.findIndex(({ ErrorCode }) => ErrorCode !== undefined);
    throw refusal(published[refused], Entries[refused]?.ErrorMessage);
  }
  return published.map(() => undefined);
}

async function send(published: DomainEvent[]): Promise<PutEventsCommandOutput> {
  const { eventBridge, PutEventsCommand } = await import("./event-bus-sdk.ts");
  const Entries = published.map(({ type, changeId, detail }) => ({
    EventBusName: variable("eventBus"),
    Source: eventSource,
    DetailType: type,
    Detail: JSON.stringify({ changeId, ...detail }),
  }));
  try {
    return await eventBridge.send(new PutEventsCommand({ Entries }));
  } catch (error) {
    // The bus refuses a whole call if its events are too large together.
    if (published.length > 1) throw error;
    throw refusal(published[0], error instanceof Error ? error.message : String(error), error);
  }
}

function refusal(event: DomainEvent | undefined, problem = "", cause?: unknown): PlatformError {
  return new PlatformError(`the event bus refused ${event?.type} ${event?.changeId}: ${problem}`, { cause });
}
