import { describe, expect, test } from "vitest";
import { parseLogLine } from "../../../../local/cloud/lambda/function-log.ts";

describe("a line of a function", () => {
  const timestamp = "2026-01-01T00:00:00.000Z";
  test.each<[string, string, object]>([
    ["text → a message", "plain", { level: "INFO", message: "plain" }],
    [
      "Lambda's JSON → its fields",
      JSON.stringify({ timestamp, level: "WARN", requestId: "r", message: "m" }),
      { time: timestamp, level: "WARN", requestId: "r", message: "m" },
    ],
    [
      "an object logged → the message",
      JSON.stringify({ timestamp, message: { n: 1 } }),
      { message: { n: 1 } },
    ],
    [
      "JSON of the function's own in it → its fields count",
      JSON.stringify({ timestamp, level: "INFO", message: '{"level":"error","message":"m","host":"h"}' }),
      { time: timestamp, level: "ERROR", message: "m", host: "h" },
    ],
    ["broken JSON → a message", '{"a":', { message: '{"a":' }],
  ])("%s", (_title, line, expected) => {
    expect(parseLogLine("f", line)).toMatchObject({ functionName: "f", ...expected });
  });
});
