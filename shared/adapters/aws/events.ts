import { combine } from "../../core/combine.ts";
import { PlatformError } from "../../core/errors.ts";
import type { Events } from "../../events/events.ts";
import { eventSource } from "../../names.ts";
import { variable } from "./environment.ts";

/** The most entries of one call. @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const maxEntries = 10;

/** Publishes events; those that come at the same time go out together. */
export function events(): Events {
  return { publish: combine(putEvents, maxEntries) };
}

/** @throws PlatformError when the bus has refused one of several: each is then sent again, alone */
async function putEvents(published: Parameters<Events["publish"]>[0][]): Promise<undefined[]> {
  const { eventBridge, PutEventsCommand } = await import("./event-bus-sdk.ts");
  const { Entries = [], FailedEntryCount = 0 } = await eventBridge.send(
    new PutEventsCommand({
      Entries: published.map(({ type, changeId, detail }) => ({
        EventBusName: variable("eventBus"),
        Source: eventSource,
        DetailType: type,
        Detail: JSON.stringify({ changeId, ...detail }),
      })),
    }),
  );
  if (FailedEntryCount > 0) {
    const refused = Entries.findIndex(({ ErrorCode }) => ErrorCode !== undefined);
    const { type, changeId } = published[refused] ?? {};
    throw new PlatformError(
      `the event bus refused ${type} ${changeId}: ${Entries[refused]?.ErrorMessage ?? ""}`,
    );
  }
  return published.map(() => undefined);
}
