import { expect, it } from "vitest";
import { eventSamples } from "../../../../shared/records/events/event-samples.ts";
import type { EventType } from "../../../../shared/records/events/event-type.ts";
import { eventTypes } from "../../../../shared/records/events/event-types.ts";
import { assertEvent } from "../../assert-event.ts";
import { schemaProblem } from "./event-schemas.ts";

const types = Object.keys(eventTypes) as EventType[];

it.each(types)("the sample of %s → valid by its schema", (type) => {
  const { changeId, ...detail } = eventSamples[type];
  expect(() => assertEvent({ type, changeId, detail })).not.toThrow();
});

it.each(types)("%s with an unknown field, or without its first one → refused", (type) => {
  const { changeId, ...detail } = eventSamples[type];
  expect(() => assertEvent({ type, changeId, detail: { ...detail, unknown: 1 } })).toThrow();
  const [first = ""] = Object.keys(detail);
  const { [first]: _missing, ...rest } = detail as Record<string, unknown>;
  expect(() => assertEvent({ type, changeId, detail: rest })).toThrow();
});

it.each(types)(
  "the sample of %s → valid by its published JSON Schema; with an unknown field, not",
  (type) => {
    const detail = eventSamples[type];
    expect(schemaProblem({ type, detail })).toBeUndefined();
    expect(schemaProblem({ type, detail: { ...detail, unknown: 1 } })).toMatch(/must NOT have additional/);
    const { changeId: _changeId, ...rest } = detail;
    expect(schemaProblem({ type, detail: rest })).toMatch(/changeId/);
  },
);
