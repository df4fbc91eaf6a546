import { createHash } from "node:crypto";
import { mappingsPath } from "../actions/lambda-actions.ts";
import { inputOf, jsonResponse, restError, type ServiceRequest, type ServiceResponse } from "../service.ts";
import type { EventSource } from "./event-sources.ts";

/** The pollers that the mappings enable and disable. */
export interface SwitchedPollers {
  isEnabled(source: EventSource): boolean;
  enable(source: EventSource, isEnabled: boolean): void;
}

/**
 * Serves ListEventSourceMappings, and UpdateEventSourceMapping with only `Enabled`. A disabled mapping
 * receives no messages until it is enabled, or until the cloud is restarted.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html
 */
export function serveMappings(
  request: ServiceRequest,
  sources: readonly EventSource[],
  pollers: SwitchedPollers,
): ServiceResponse {
  const { method, path } = request;
  const describe = (source: EventSource) => ({
    UUID: uuidOf(source),
    EventSourceArn: source.queueArn,
    FunctionArn: functionArnOf(source),
    BatchSize: source.batchSize,
    State: pollers.isEnabled(source) ? "Enabled" : "Disabled",
  });
  const uuid = path.slice(mappingsPath.length).replaceAll("/", "");
  if (method === "GET" && uuid === "") {
    return jsonResponse(200, { EventSourceMappings: sources.map(describe) });
  }
  const source = sources.find((each) => uuidOf(each) === uuid);
  if (source === undefined)
    return restError(404, "ResourceNotFoundException", `There is no mapping ${uuid}.`);
  const { Enabled, ...others } = inputOf<{ Enabled?: unknown }>(request);
  if (method !== "PUT" || typeof Enabled !== "boolean" || Object.keys(others).length > 0) {
    return restError(400, "InvalidParameterValueException", "Only Enabled can be changed here.");
  }
  pollers.enable(source, Enabled);
  return jsonResponse(202, describe(source));
}

function functionArnOf({ queueArn, target }: EventSource): string {
  const [arn, partition, , region, account] = queueArn.split(":");
  return [arn, partition, "lambda", region, account, "function", target.name].join(":");
}

/** Returns the id of a mapping, which is the same at each start. */
function uuidOf(source: EventSource): string {
  const hex = createHash("sha256")
    .update(`${source.queueArn} ${functionArnOf(source)}`)
    .digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
