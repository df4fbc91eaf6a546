import { expect, it } from "vitest";
import { messageSubject } from "../../../shared/runtime/message-subject.ts";

it.each([
  ["of a run", { runId: "r" }, { runId: "r" }],
  [
    "a request",
    { url: "https://a.example:8443/x?y", context: { runId: "r", sourceId: "s" } },
    { runId: "r", sourceId: "s", host: "a.example:8443" },
  ],
  [
    "an answer",
    {
      request: { url: "https://a.example/", context: { sourceId: "s", jobId: 3 } },
      outcome: { url: "https://b.example/" },
    },
    { sourceId: "s", jobId: 3, host: "a.example" },
  ],
  ["a bad URL", { url: "://", runId: "r" }, { runId: "r" }],
  ["ids that are none", { runId: { $ne: 1 }, sourceId: null }, {}],
  ["a list", [1], {}],
  ["null", null, {}],
])("%s", (_what, message, subject) => {
  expect(messageSubject(JSON.stringify(message))).toEqual(subject);
});

it("no JSON → nothing", () => {
  expect(messageSubject("{")).toEqual({});
});
