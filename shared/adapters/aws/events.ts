import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { PlatformError } from "../../core/errors.ts";
import type { Events } from "../../events/events.ts";
import { eventSource } from "../../names.ts";
import { variable } from "./environment.ts";

const eventBridge = new EventBridgeClient({});

export function events(): Events {
  return {
    async publish({ type, changeId, detail }) {
      const { Entries = [], FailedEntryCount = 0 } = await eventBridge.send(
        new PutEventsCommand({
          Entries: [
            {
              EventBusName: variable("eventBus"),
              Source: eventSource,
              DetailType: type,
              Detail: JSON.stringify({ changeId, ...detail }),
            },
          ],
        }),
      );
      if (FailedEntryCount > 0) {
        throw new PlatformError(
          `the event bus refused ${type} ${changeId}: ${Entries[0]?.ErrorMessage ?? ""}`,
        );
      }
    },
  };
}
