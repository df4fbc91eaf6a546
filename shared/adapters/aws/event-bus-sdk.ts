import { EventBridgeClient } from "@aws-sdk/client-eventbridge";

export { PutEventsCommand } from "@aws-sdk/client-eventbridge";

/** The client that `events.ts` loads with its first event. */
export const eventBridge = new EventBridgeClient({});
