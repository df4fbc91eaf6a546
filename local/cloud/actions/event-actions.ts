import { type AccessRequest, accessTo } from "../iam/policy.ts";
import { arnOf, type CloudLocation } from "../location.ts";
import { inputOf, operationOf, type ServiceRequest, unsupported } from "../service.ts";

/** Returns the permissions that a request to EventBridge needs. @throws Unsupported */
export function eventActions(request: ServiceRequest, location: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  if (operation !== "PutEvents") unsupported("EventBridge", operation);
  const { Entries = [] } = inputOf<{
    Entries?: { EventBusName?: string; Source?: string; DetailType?: string }[];
  }>(request);
  return Entries.map(({ EventBusName = "default", Source = "", DetailType = "" }) =>
    accessTo("events:PutEvents", arnOf(location, "events", `event-bus/${EventBusName.split("/").at(-1)}`), {
      "events:source": Source,
      "events:detail-type": DetailType,
    }),
  );
}
