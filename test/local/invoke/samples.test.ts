import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isSample, precedingSamples } from "../../../local/invoke/samples.ts";

const events = join(import.meta.dirname, "../../../events");

describe("samples", () => {
  it.each([
    ["start-harvest", []],
    ["probe-network", []],
    ["read-article", ["start-harvest", "send-requests", "read-feed"]],
    ["test-rule", ["start-harvest", "send-requests"]],
    ["read-checked-page", ["start-harvest", "send-requests", "check-set"]],
    ["public-api", ["start-harvest", "send-requests", "read-feed", "read-article"]],
  ])("%s → continues with %j", (name, before) => {
    expect(precedingSamples(name)).toEqual(before);
  });

  it.each([
    [join(events, "read-feed.json"), "read-feed", true],
    [join(events, "read-feed.json"), "read-article", false],
    ["somewhere/read-feed.json", "read-feed", false],
  ])("%s as that of %s → %j", (file, name, expected) => {
    expect(isSample(file, name)).toBe(expected);
  });
});
