import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const program = join(root, "local/invoke.ts");

it.each<[string, string[], number, "stdout" | "stderr"]>([
  ["--help → what it does, and success", ["--help"], 0, "stdout"],
  ["nothing to invoke → the same as an error", [], 2, "stderr"],
  ["no such function → the same as an error", ["nothing", "events/read-feed.json"], 2, "stderr"],
])("npm run invoke: %s", (_title, args, status, stream) => {
  const ended = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  expect(ended.status).toBe(status);
  expect(ended[stream]).toMatch(/^npm run invoke -- FUNCTION EVENT\.json/m);
});

describe("a sample before its turn", () => {
  it.each([
    [
      "validate-records",
      /^nothing was invoked, because the run live-20261120T190000Z does not exist in /m,
      "start-harvest, .*, read-article",
    ],
    ["test-rule", /^1 message was returned to the queue/m, "start-harvest, send-requests"],
    ["public-api", /^the response is 404$/m, "start-harvest, .*, read-article"],
  ])("%s → exit code 1, why, and which come first", (name, why, before) => {
    const state = join(temporaryFolder(), "state");
    const args = [program, name, join(root, `events/${name}.json`), "--state", state, "--port", "0"];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringMatching(why)]);
    expect(stderr).toMatch(new RegExp(`first invoke these, in this order: ${before}$`, "m"));
  });
});
