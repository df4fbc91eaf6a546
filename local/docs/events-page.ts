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

/** The schema of a detail as it is on the bus, with its `changeId`. */
function detailSchema(type: EventType): JsonSchema {
  const { meaning, detail } = eventTypes[type];
  const { anyOf, ...schema } = toJsonSchema(detail, "output") as JsonSchema & { anyOf?: JsonSchema[] };
  const whole = anyOf === undefined ? withChangeId(schema) : { ...schema, anyOf: anyOf.map(withChangeId) };
  return { description: meaning, ...whole };
}

function withChangeId(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema as { properties?: JsonSchema; required?: string[] };
  const changeId = { type: "string", description: "The same when the event is published twice" };
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

A rule that takes all changes of documents:

\`\`\`json
{ "source": ["${eventSource}"], "detail-type": [{ "prefix": "document." }] }
\`\`\`

**Once.** A change of a document or item is stored together with its event, in one write. The event is published after
that, and again if the function was killed before it stored that. Each \`detail\` has a \`changeId\`: a subscriber that
has seen it ignores the event.

**Order.** The changes of one document, and of one item, are published in order. The bus may deliver them in another:
\`version\` counts them. The events of different documents have no order.

**Articles.** An article that is harvested from a feed or page is a document, too. Its \`documentUri\` is that of its
record, and only its first storing is published. An article that is not kept, such as one of a preview, has no event.

**Sources by events.** The publishers that the setting \`sourcePublishers\` of the [deployment](operations.md) names may
add, change and delete sources, with a \`source\` of their own; the bus refuses such events of all others. The details are
\`{"source": {…}}\` of \`source.new\` (the fields of [\`POST /sources\`](api.md#sources)),
\`{"sourceId", "change": {…}}\` of \`source.opened\` and \`{"sourceId"}\` of \`source.deleted\`. Ingather does so, and publishes
the change in its own name. An event that cannot be applied goes to the queue \`ingather-source-events-dead\`; the log says
why.

**Archive.** The bus keeps its events for 30 days, for a replay. Its log, which [\`GET /events\`](api.md#events) and the page
*Events* of the console show, has those of the last 14 days.

**Schemas.** [events.schema.json](events.schema.json) has a JSON Schema of each detail, under the detail type in \`$defs\`.
Below, each type has its fields and a sample.

## Subscribe with a queue

Add this stack to your own CDK app in the same account, and read the queue. It is
[event-subscription.example.ts](event-subscription.example.ts). The body of a message is the event: its \`detail-type\` and
its \`detail\`. Events that cannot be sent to the queue for a day go to the second one.

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
