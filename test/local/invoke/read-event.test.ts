import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEvent } from "../../../local/invoke/read-event.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const root = join(import.meta.dirname, "../../..");
const samples = globSync("*.json", { cwd: join(root, "events") });
const sampleOf = (name: string) => readFileSync(join(root, "events", `${name}.json`), "utf8");
const folder = temporaryFolder();

function file(content: string | Buffer): string {
  const path = join(folder, "event.json");
  writeFileSync(path, content);
  return path;
}

describe("the event that a function is invoked with", () => {
  it.each(samples)("%s, its sample → taken as it is", async (sample) => {
    const name = basename(sample, ".json");
    expect(await readEvent(join(root, "events", sample), name)).toEqual(JSON.parse(sampleOf(name)));
  });

  const message = "which is invoked with messages of a queue";
  it.each<[what: string, name: string, content: string | Buffer, problem: string]>([
    ["broken JSON", "read-feed", '{"Records": [', "JSON"],
    ["nothing", "read-feed", "", "JSON"],
    ["Latin-1", "read-feed", Buffer.from('{"a": "\xe4"}', "latin1"), "line 1 is not UTF-8"],
    ["a schedule's", "read-feed", sampleOf("report-links"), `${message}: Records: `],
    ["a request", "judge-link", sampleOf("public-api"), `${message}: Records: `],
    ["no messages", "read-feed", '{"Records": []}', `${message}: Records: `],
    ["a message without a body", "send-requests", '{"Records": [{}]}', `${message}: Records.0.messageId: `],
    ["a list", "read-feed", "[]", message],
    [
      "messages",
      "public-api",
      sampleOf("read-feed"),
      "which is invoked with a request to the API: rawPath: ",
    ],
    ["messages", "sweep-collections", sampleOf("read-feed"), "as of a schedule: Records: "],
    ["null", "probe-network", "null", "as of a schedule"],
  ])("%s, to %s → refused, with the file and what is wrong", async (_what, name, content, problem) => {
    const path = file(content);
    const reading = readEvent(path, name);
    await expect(reading).rejects.toThrow(problem);
    await expect(reading).rejects.toMatchObject({ field: "EVENT.json", value: path });
  });

  it.each<[what: string, args: string[], told: string]>([
    ["no such file", ["read-feed", join(folder, "none.json")], "none.json"],
    ["another function's", ["read-feed", join(root, "events/public-api.json")], "public-api.json"],
    ["a wrong port", ["read-feed", join(root, "events/read-feed.json"), "--port", "x"], "--port"],
    ["an unknown option", ["read-feed", join(root, "events/read-feed.json"), "--prot", "1"], "--prot"],
  ])("npm run invoke with %s → exit code 2, nothing is started", (_what, args, told) => {
    const state = join(folder, "state");
    const program = join(root, "local/invoke.ts");
    const ended = spawnSync(process.execPath, [program, ...args, "--state", state], { encoding: "utf8" });
    expect([ended.status, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(told);
    expect(globSync(state)).toEqual([]);
  });
});
