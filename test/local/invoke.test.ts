import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const program = join(import.meta.dirname, "../../local/invoke.ts");

it.each<[string, string[], number, "stdout" | "stderr"]>([
  ["--help → what it does, and success", ["--help"], 0, "stdout"],
  ["nothing to invoke → the same as an error", [], 2, "stderr"],
  ["no such function → the same as an error", ["nothing", "events/read-feed.json"], 2, "stderr"],
])("npm run invoke: %s", (_title, args, status, stream) => {
  const ended = spawnSync(process.execPath, [program, ...args], { encoding: "utf8", timeout: 60_000 });
  expect(ended.status).toBe(status);
  expect(ended[stream]).toMatch(/^npm run invoke -- FUNCTION EVENT\.json/m);
});
