import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonSchema, toJsonSchema } from "../../shared/api/open-api.ts";
import { outlineSchema } from "../../shared/api/schema-outline.ts";
import { eventBusName, eventSource } from "../../shared/names.ts";
import { eventSamples } from "../../shared/records/events/event-samples.ts";
import type { EventType } from "../../shared/records/events/event-type.ts";
import { eventTypes } from "../../shared/records/events/event-types.ts";

/** Generates `docs/events.schema.json`: a JSON Schema of the detail of each type, under `$defs`. */
export function eventSchemas(): string {
  const types = Object.keys(eventTypes) as EventType[];
  const $defs = Object.fromEntries(types.map((type) => [type, detailSchema(type)]));
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return `${JSON.stringify({ $schema, title: "Details of the events of Ingather", $defs }, null, 2)}\n`;
}

/** Returns the schema of a detail as published on the bus, with its `changeId`. */
function detailSchema(type: EventType): JsonSchema {
  const { meaning, detail } = eventTypes[type];
  const { anyOf, ...schema } = toJsonSchema(detail, "output") as JsonSchema & { anyOf?: JsonSchema[] };
  const whole = anyOf === undefined ? withChangeId(schema) : { ...schema, anyOf: anyOf.map(withChangeId) };
  return { description: meaning, ...whole };
}

function withChangeId(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema as { properties?: JsonSchema; required?: string[] };
  const changeId = {
    type: "string",
    description: "The id of the change; the same if the event is published twice",
  };
  return { ...schema, properties: { changeId, ...properties }, required: ["changeId", ...required] };
}

/** Generates `docs/events.md` from the table of event types. */
export function eventsPage(): string {
  const types = Object.keys(eventTypes) as EventType[];
  const rows = types.map(
    (type) => `| [\`${type}\`](#${type.replaceAll(".", "")}) | ${eventTypes[type].meaning} |`,
  );
  const table = ["| detail type | what happened |", "|---|---|", ...rows].join("\n");
  return `${[introduction, table, ...types.map(describeType)].join("\n\n")}\n`;
}

const example = readFileSync(join(import.meta.dirname, "../../docs/event-subscription.example.ts"), "utf8");

const introduction = `# Events

<!-- Generated from shared/records/events by \`npm run docs\`; edit the table of types there. -->

Ingather publishes every change on the EventBridge bus \`${eventBusName}\`, with the source \`${eventSource}\`. The detail type
is the routing key. On one machine, \`npm start\` has the same bus.

This rule matches all changes of documents:

\`\`\`json
{ "source": ["${eventSource}"], "detail-type": [{ "prefix": "document." }] }
\`\`\`

**Once.** A change of a document or item is stored together with its event, in one write. The event is published
afterwards. If the function is killed before it stores that the event was published, the event is published again. Each
\`detail\` has a \`changeId\`, so a subscriber can ignore an event whose \`changeId\` it has already seen.

**Order.** The changes of one document, and of one item, are published in order. The bus may
deliver them in a different order, so use \`version\`, which counts the changes. Events of different documents have no order.

**Articles.** An article that is harvested from a feed or page is a document, too. Its \`documentUri\` is the URI of its
record. An event is published only when the article is stored for the first time. An article that is not kept, such as an
article of a preview, has no event.

**Sources by events.** Other publishers can add, change and delete sources by events. The setting \`sourcePublishers\` of
the [deployment](operations.md) lists these publishers. Each uses its own \`source\`; the bus refuses such events from all
other publishers. The \`detail\` of \`source.new\` is \`{"source": {…}}\`, with the fields of
[\`POST /sources\`](api.md#sources). The \`detail\` of \`source.opened\` is \`{"sourceId", "change": {…}}\`, and that of
\`source.deleted\` is \`{"sourceId", "documents": "keep"}\`. Ingather applies the change, and publishes it with its own \`source\`. An event that
cannot be applied goes to the queue \`ingather-source-events-dead\`, and the log has the reason.

**Archive.** The bus keeps its events for 30 days, so that they can be replayed. Its log has the events of the last 14
days. [\`GET /events\`](api.md#events) and the page *Events* of the console show this log.

**Schemas.** [events.schema.json](events.schema.json) has a JSON Schema for the \`detail\` of each
detail type, in \`$defs\`. The sections below list the fields of each type, with a sample.

## Subscribe with a queue

Add this stack to your own CDK app in the same account, and read the queue. It is
[event-subscription.example.ts](event-subscription.example.ts). The body of a message is the event, with its
\`detail-type\` and \`detail\`. Events that cannot be sent to the queue for a day go to the second queue, \`Undelivered\`.

\`\`\`ts
${example.trimEnd()}
\`\`\``;

function describeType(type: EventType): string {
  const { meaning, detail } = eventTypes[type];
  return [
    `## ${type}`,
    `${meaning}.`,
    `\`\`\`ts\n${outlineSchema(toJsonSchema(detail, "output"), { hasLimits: true })}\n\`\`\``,
    `\`\`\`json\n${JSON.stringify(eventSamples[type], null, 2)}\n\`\`\``,
  ].join("\n\n");
}
