import { EventBridgeClient } from "@aws-sdk/client-eventbridge";

export { PutEventsCommand } from "@aws-sdk/client-eventbridge";

/** What `events.ts` loads with the first event. */
export const eventBridge = new EventBridgeClient({});
