import { randomUUID } from "node:crypto";
import { parsedJson } from "../../shared/core/parsed-json.ts";
import type { Access } from "./access.ts";
import { matchesPattern } from "./event-pattern.ts";
import type { Journal } from "./journal.ts";
import { mostEventBytes, mostEventsAtOnce } from "./limits.ts";
import type { Resolver } from "./resolver.ts";
import type { Place } from "./resources.ts";
import { type Rule, readRules } from "./rules.ts";
import { jsonAnswer, type Service } from "./service.ts";
import { type Deliver, permissionOf } from "./targets.ts";

interface Entry {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly EventBusName?: string;
  readonly Resources?: string[];
  readonly Time?: number;
}

interface Options {
  readonly place: Place;
  readonly access: Access;
  readonly deliver: Deliver;
  /** Where every event is written. */
  readonly journal: Journal;
  readonly report: (problem: string) => void;
}

/**
 * PutEvents: writes the events down and hands them to the targets of the rules that match. A target that may not be
 * reached, or cannot, is reported; the others get theirs.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function createEventBus(resolver: Resolver, options: Options): Service {
  const rules = readRules(resolver);
  return async ({ body }) => {
    const { Entries } = JSON.parse(body.toString()) as { Entries: readonly Entry[] };
    if (Entries.length > mostEventsAtOnce) {
      return jsonAnswer(400, {
        __type: "ValidationException",
        message: `Value at 'entries' failed to satisfy constraint: Member must have length less than or equal to ${mostEventsAtOnce}`,
      });
    }
    const answers = await Promise.all(
      Entries.map(async (entry) => {
        if (!entry.Source || !entry.DetailType || !isObject(entry.Detail)) {
          return {
            ErrorCode: "InvalidArgument",
            ErrorMessage: "Source, DetailType and a JSON object as Detail are needed.",
          };
        }
        if (bytesOf(entry) > mostEventBytes) {
          const ErrorMessage = `Entry size is more than ${mostEventBytes} bytes.`;
          return { ErrorCode: "InvalidArgument", ErrorMessage };
        }
        const bus = (entry.EventBusName ?? "default").split("/").at(-1) ?? "";
        const event = eventOf(entry, options.place);
        options.journal.append({ bus, ...event });
        const matching = rules.filter((rule) => rule.bus === bus && matchesPattern(rule.pattern, event));
        await Promise.all(matching.map((rule) => apply(rule, event, options)));
        return { EventId: event.id };
      }),
    );
    const FailedEntryCount = answers.filter((answer) => "ErrorCode" in answer).length;
    return jsonAnswer(200, { FailedEntryCount, Entries: answers });
  };
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
function bytesOf({ Time, Source, DetailType, Detail, Resources = [] }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources].map((text = "") => Buffer.byteLength(text));
  return texts.reduce((sum, bytes) => sum + bytes, Time === undefined ? 0 : 14);
}

async function apply(rule: Rule, event: object, { access, deliver, report }: Options): Promise<void> {
  for (const { Arn, Input, InputPath = "$", SqsParameters } of rule.targets) {
    try {
      access.assertService("events.amazonaws.com", {
        action: permissionOf(Arn),
        resource: Arn,
        context: { "aws:sourcearn": rule.arn },
      });
      const payload = Input ?? JSON.stringify(at(event, InputPath));
      await deliver({ arn: Arn, payload, groupId: SqsParameters?.MessageGroupId });
    } catch (error) {
      report(`${rule.arn}: ${(error as Error).message}`);
    }
  }
}

function eventOf(entry: Entry, { account, region }: Place) {
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

function at(event: unknown, path: string): unknown {
  const fields = path.split(".").slice(1);
  return fields.reduce((value, field) => (value as Record<string, unknown> | undefined)?.[field], event);
}

function isObject(text: string | undefined): boolean {
  const value = parsedJson(text ?? "");
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
