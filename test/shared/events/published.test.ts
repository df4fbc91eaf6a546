import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventType } from "../../../shared/events/event-type.ts";
import { eventTypes } from "../../../shared/events/event-types.ts";
import { demoEventTypes } from "./demo-event-types.ts";

/** The tests that publish what a run of the demo does not: each expects the type, valid by its schema. */
const publishedBy: Partial<Record<EventType, string>> = {
  "document.opened": "harvest/polls/week.long.test.ts",
  "document.deleted": "harvest/polls/week.long.test.ts",
  "item.new": "documents/items/store-item.test.ts",
  "item.opened": "documents/items/store-item.test.ts",
  "item.deleted": "documents/items/store-item.test.ts",
  "source.new": "sources/source-events.test.ts",
  "source.opened": "sources/source-events.test.ts",
  "source.deleted": "sources/source-events.test.ts",
  "source.closed": "harvest/polls/poll-sources.test.ts",
  "source.deletions-held": "harvest/oai/held-deletions.test.ts",
  "record.released": "delivery/delinquent/released.test.ts",
  "record.activated": "links/status/pending-notifications.test.ts",
  "record.suppressed": "links/status/pending-notifications.test.ts",
  "record.deleted": "links/record-cases.test.ts",
  "collection.activated": "links/status/pending-notifications.test.ts",
  "collection.suppressed": "links/status/pending-notifications.test.ts",
  "collection.deleted": "links/collection-cases.test.ts",
  "run.failed": "delivery/pipeline/delivery.test.ts",
  "capture.done": "snapshots/jobs/finish-job.test.ts",
  "capture.failed": "snapshots/jobs/finish-job.test.ts",
  "index.ready": "snapshots/definitions/harvests.test.ts",
  "index.failed": "snapshots/definitions/harvests.test.ts",
  "network.down": "web/network/probe-network.test.ts",
  "network.up": "web/network/probe-network.test.ts",
};

describe("the catalogue of events", () => {
  it("each type is published by a run of the demo, or by a test named here", () => {
    const published = [...demoEventTypes, ...Object.keys(publishedBy)];
    expect(published.sort()).toEqual(Object.keys(eventTypes).sort());
  });

  it.each(Object.entries(publishedBy))("%s → expected by %s", (type, file) => {
    const text = readFileSync(join(import.meta.dirname, "..", file), "utf8");
    expect(text).toMatch(new RegExp(`["\` ]${type.replace(".", "\\.")}["\` ]`));
  });
});
