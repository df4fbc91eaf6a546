import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { EventType } from "../../../../shared/records/events/event-type.ts";
import { eventTypes } from "../../../../shared/records/events/event-types.ts";
import { demoEventTypes } from "./demo-event-types.ts";

/** The tests that publish what a run of the demo does not: each expects the type, valid by its schema. */
const publishedBy: Partial<Record<EventType, string>> = {
  "document.opened": "test/shared/harvest/polls/week.long.test.ts",
  "document.deleted": "test/shared/harvest/polls/week.long.test.ts",
  "document.retracted": "test/shared/harvest/doi-agencies/doi-agencies.test.ts",
  "item.new": "test/shared/harvest/downloads/store-item.test.ts",
  "item.opened": "test/shared/harvest/downloads/store-item.test.ts",
  "item.deleted": "test/shared/harvest/downloads/store-item.test.ts",
  "source.new": "test/shared/records/sources/source-events.test.ts",
  "source.opened": "test/shared/records/sources/source-events.test.ts",
  "source.deleted": "test/shared/records/sources/source-events.test.ts",
  "source.closed": "test/shared/harvest/polls/poll-sources.test.ts",
  "source.deletions-held": "test/shared/harvest/oai/decide-deletions.test.ts",
  "source.quality-drifted": "test/shared/deliver/quality/drifting-week.test.ts",
  "source.quality-recovered": "test/shared/deliver/quality/drifting-week.test.ts",
  "record.released": "test/shared/deliver/refused/released.test.ts",
  "record.activated": "test/shared/links/status/pending-notifications.test.ts",
  "record.suppressed": "test/shared/links/status/pending-notifications.test.ts",
  "record.deleted": "test/shared/links/record-cases.test.ts",
  "collection.activated": "test/shared/links/status/pending-notifications.test.ts",
  "collection.suppressed": "test/shared/links/status/pending-notifications.test.ts",
  "collection.deleted": "test/shared/links/collection-cases.test.ts",
  "run.failed": "test/shared/deliver/pipeline/delivery.test.ts",
  "capture.done": "test/shared/snapshots/jobs/finish-job.test.ts",
  "capture.failed": "test/shared/snapshots/jobs/finish-job.test.ts",
  "index.ready": "test/shared/snapshots/definitions/harvests.test.ts",
  "index.failed": "test/shared/snapshots/definitions/harvests.test.ts",
  "network.down": "test/shared/web/network/probe-network.test.ts",
  "network.up": "test/shared/web/network/probe-network.test.ts",
};

describe("the catalogue of events", () => {
  it("each type is published by a run of the demo, or by a test named here", () => {
    const published = [...demoEventTypes, ...Object.keys(publishedBy)];
    expect(published.sort()).toEqual(Object.keys(eventTypes).sort());
  });

  it.each(Object.entries(publishedBy))("%s → expected by %s", (type, file) => {
    const text = readFileSync(join(import.meta.dirname, "../../../..", file), "utf8");
    expect(text).toMatch(new RegExp(`["\` ]${type.replace(".", "\\.")}["\` ]`));
  });
});
