import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AccessRequest, accessTo } from "./iam/policy.ts";
import { openJsonLinesLog } from "./json-lines-log.ts";
import { arnOf, type CloudLocation } from "./location.ts";
import {
  inputOf,
  jsonResponse,
  operationOf,
  type Service,
  type ServiceRequest,
  Unsupported,
  unsupported,
} from "./service.ts";

/** Returns the permissions that a request to CloudWatch Logs needs. @throws Unsupported */
export function logActions(request: ServiceRequest, location: CloudLocation): AccessRequest[] {
  const operation = operationOf(request);
  if (operation !== "FilterLogEvents") unsupported("CloudWatch Logs", operation);
  const { logGroupName = "" } = inputOf<{ logGroupName?: string }>(request);
  return [accessTo("logs:FilterLogEvents", arnOf(location, "logs", `log-group:${logGroupName}:*`))];
}

interface LogEvent {
  readonly eventId: string;
  readonly timestamp: number;
  readonly message: string;
}

interface FilterInput {
  readonly logGroupName: string;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly filterPattern?: string;
  readonly nextToken?: string;
  readonly limit?: number;
}

/** Log groups that other services write, such as the log group of the events. Each group is a file. */
export interface LogGroups {
  /** Appends a message. */
  put(logGroupName: string, message: string): void;
  /** The operation FilterLogEvents. */
  readonly service: Service;
}

const maxEventsPerPage = 10_000;

/** @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html */
export function openLogGroups(dir: string): LogGroups {
  const logs = new Map<string, ReturnType<typeof openJsonLinesLog>>();
  const fileOf = (logGroupName: string) => join(dir, `${logGroupName.replaceAll(/[^\w.-]/g, "_")}.ndjson`);
  return {
    put(logGroupName, message) {
      const log = logs.get(logGroupName) ?? openJsonLinesLog(fileOf(logGroupName));
      logs.set(logGroupName, log);
      log.append({ timestamp: Date.now(), eventId: randomUUID(), message } satisfies LogEvent);
    },
    service: async (request) => {
      const input = inputOf<FilterInput>(request);
      const matches = matcherOf(input.filterPattern);
      const { startTime = 0, endTime = Number.MAX_SAFE_INTEGER } = input;
      const found = readLog(fileOf(input.logGroupName)).filter(
        ({ timestamp, message }) => timestamp >= startTime && timestamp <= endTime && matches(message),
      );
      const from = Number(input.nextToken ?? 0);
      const events = found.slice(from, from + Math.min(input.limit ?? maxEventsPerPage, maxEventsPerPage));
      const end = from + events.length;
      return jsonResponse(200, { events, ...(end < found.length && { nextToken: String(end) }) });
    },
  };
}

function readLog(file: string): LogEvent[] {
  const text = [`${file}.1`, file]
    .map((each) => (existsSync(each) ? readFileSync(each, "utf8") : ""))
    .join("");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LogEvent);
}

/**
 * Parses a filter of JSON equalities that must all hold: `{ ($.detail-type = "a.b") && ($.detail.sourceId =
 * "c") }`.
 * @throws Unsupported for any other filter
 */
function matcherOf(pattern: string | undefined): (message: string) => boolean {
  if (pattern === undefined) return () => true;
  const term = /^\(\$\.([\w.-]+) = ("(?:[^"\\]|\\.)*")\)$/;
  const terms = pattern
    .replace(/^\{ /, "")
    .replace(/ \}$/, "")
    .split(" && ")
    .map((text) => {
      const [, path = "", value = ""] = term.exec(text) ?? [];
      if (path === "")
        throw new Unsupported(`the local cloud does not support the filter pattern ${pattern}`);
      return { path: path.split("."), value: JSON.parse(value) as string };
    });
  return (message) => {
    const event = JSON.parse(message);
    return terms.every(({ path, value }) => path.reduce((at, name) => at?.[name], event) === value);
  };
}
