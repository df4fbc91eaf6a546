import { randomUUID } from "node:crypto";
import { parseJson } from "../../../shared/core/parse-json.ts";
import type { Resolver } from "../cloudformation/resolver.ts";
import type { Access } from "../iam/access.ts";
import type { JsonLinesLog } from "../json-lines-log.ts";
import { maxEventBytes, maxEventsPerCall } from "../limits.ts";
import type { CloudLocation } from "../location.ts";
import { inputOf, jsonError, jsonResponse, type Service } from "../service.ts";
import { matchesPattern } from "./event-pattern.ts";
import { type EventRule, readEventRules } from "./event-rules.ts";
import { type InvokeTarget, requiredAction } from "./targets.ts";

interface Entry {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly EventBusName?: string;
  readonly Resources?: string[];
  readonly Time?: number;
}

interface Options {
  readonly location: CloudLocation;
  readonly access: Access;
  readonly invokeTarget: InvokeTarget;
  /** The log of all events. */
  readonly log: JsonLinesLog;
  readonly reportError: (problem: string) => void;
  /** Sees each event before its publisher gets an answer. */
  readonly onEvent?: ((event: BusEvent) => Promise<void>) | undefined;
}

export type BusEvent = ReturnType<typeof buildBusEvent>;

/**
 * Creates PutEvents, which logs the events and delivers them to the targets of matching rules. A forbidden or
 * failed delivery is reported and does not affect other targets.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function createEventBus(resolver: Resolver, options: Options): Service {
  const rules = readEventRules(resolver);
  return async (request) => {
    const { Entries } = inputOf<{ Entries: readonly Entry[] }>(request);
    if (Entries.length > maxEventsPerCall) {
      return jsonError(
        "ValidationException",
        `Value at 'entries' failed to satisfy constraint: Member must have length less than or equal to ${maxEventsPerCall}`,
      );
    }
    if (Entries.reduce((sum, entry) => sum + entrySizeBytes(entry), 0) > maxEventBytes) {
      return jsonError("ValidationException", "Total size of the entries in the request is over the limit.");
    }
    const answers = await Promise.all(
      Entries.map(async (entry) => {
        if (!entry.Source || !entry.DetailType || !isObject(entry.Detail)) {
          return {
            ErrorCode: "InvalidArgument",
            ErrorMessage: "Source, DetailType and a JSON object as Detail are required.",
          };
        }
        const bus = (entry.EventBusName ?? "default").split("/").at(-1) ?? "";
        const event = buildBusEvent(entry, options.location);
        options.log.append({ bus, ...event });
        await options.onEvent?.(event);
        const matching = rules.filter((rule) => rule.bus === bus && matchesPattern(rule.pattern, event));
        await Promise.all(matching.map((rule) => invokeTargets(rule, event, options)));
        return { EventId: event.id };
      }),
    );
    const FailedEntryCount = answers.filter((answer) => "ErrorCode" in answer).length;
    return jsonResponse(200, { FailedEntryCount, Entries: answers });
  };
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
function entrySizeBytes({ Time, Source, DetailType, Detail, Resources = [] }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources].map((text = "") => Buffer.byteLength(text));
  return texts.reduce((sum, bytes) => sum + bytes, Time === undefined ? 0 : 14);
}

async function invokeTargets(
  rule: EventRule,
  event: object,
  { access, invokeTarget, reportError }: Options,
): Promise<void> {
  for (const { Arn, Input, InputPath = "$", SqsParameters } of rule.targets) {
    try {
      access.assertService("events.amazonaws.com", {
        action: requiredAction(Arn),
        // The policy of a log group names its streams.
        resource: requiredAction(Arn) === "logs:PutLogEvents" ? `${Arn}:*` : Arn,
        context: { "aws:sourcearn": rule.arn },
      });
      const payload = Input ?? JSON.stringify(valueAtPath(event, InputPath));
      await invokeTarget({ arn: Arn, payload, groupId: SqsParameters?.MessageGroupId });
    } catch (error) {
      reportError(`${rule.arn}: ${(error as Error).message}`);
    }
  }
}

function buildBusEvent(entry: Entry, { account, region }: CloudLocation) {
  const time = entry.Time === undefined ? new Date() : new Date(entry.Time * 1000);
  return {
    version: "0",
    id: randomUUID(),
    "detail-type": entry.DetailType,
    source: entry.Source,
    account,
    time: time.toISOString().replace(/\.\d{3}Z$/, "Z"),
    region,
    resources: entry.Resources ?? [],
    detail: JSON.parse(entry.Detail ?? "{}"),
  };
}

function valueAtPath(event: unknown, path: string): unknown {
  const fields = path.split(".").slice(1);
  return fields.reduce((value, field) => (value as Record<string, unknown> | undefined)?.[field], event);
}

function isObject(text: string | undefined): boolean {
  const value = parseJson(text ?? "");
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
