import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { readMachineLogin } from "../../local/cloud/cognito/machine-client.ts";
import { runCommand } from "../local/cli/commands/run-command.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const stateDir = stateFolder();
const runId = "live-20261120T190000Z";
let cloud: LocalCloud;
beforeAll(async () => {
  cloud = await testCloud(stateDir, { polling: false });
  const runs = await openRuns();
  await runs.create({
    ...{ runId, deliveryMode: "LIVE", state: "harvesting", startedAt: "2026-11-20T19:00:00Z" },
    deadlineAt: "2026-11-20T23:00:00Z",
  });
});

async function openRuns() {
  const { runStore } = await import("../../shared/adapters/records/run-store.ts");
  return runStore();
}

/** Lets the run wait for sources. */
async function runWaitsFor(...sourceIds: string[]): Promise<void> {
  const { sourcesTallyName } = await import("../../shared/records/runs/tally-names.ts");
  await (await openRuns()).updateTally(runId, sourcesTallyName, { opened: sourceIds });
}

async function openSources(): Promise<string[]> {
  const { sourcesTallyName } = await import("../../shared/records/runs/tally-names.ts");
  return (await openRuns()).openIds(runId, sourcesTallyName);
}

const reasonOf = async (sourceId: string) =>
  (await (await openRuns()).sourceOutcome(runId, sourceId))?.reason;

const skip = (...args: string[]) => runCommand(["skip", ...args, "--state", stateDir]);

describe("npx ingather skip", () => {
  it("a source that a run waits for → the run does not wait for it, and says who skipped it and why", async () => {
    await runWaitsFor("journal-1", "other");
    const { code, stdout } = await skip(runId, "journal-1", "--reason", "the site is down");
    expect([code, stdout]).toEqual([0, `${runId} does not wait for journal-1\n`]);
    expect(await openSources()).toEqual(["other"]);
    expect(await reasonOf("journal-1")).toMatch(/^skipped by .+: the site is down$/);
  });

  it("a deployment by the environment → its API is asked", async () => {
    await runWaitsFor("journal-2");
    const login = readMachineLogin(stateDir);
    vi.stubEnv("INGATHER_API_URL", `${cloud.apiUrl}/`);
    vi.stubEnv("INGATHER_TOKEN_URL", login?.tokenUrl);
    vi.stubEnv("INGATHER_CLIENT_ID", login?.clientId);
    vi.stubEnv("INGATHER_CLIENT_SECRET", login?.clientSecret);
    onTestFinished(() => void vi.unstubAllEnvs());
    const args = ["skip", runId, "journal-2", "--reason", "as agreed", "--state", stateFolder()];
    expect((await runCommand(args)).code).toBe(0);
    expect(await openSources()).not.toContain("journal-2");
    vi.stubEnv("INGATHER_API_URL", undefined);
    expect(await runCommand(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("INGATHER_API_URL is missing"),
    });
  });

  it.each([
    ["a run that does not exist", ["live-20261119T190000Z", "other"], /404: there is no run live-20261119/],
    ["a source that does not exist", [runId, "mistyped"], /404: there is no source mistyped/],
    ["an id that is not of a run", ["yesterday", "other"], /400: id: must be the id of a run/],
  ])("%s → 1, what the API says; the others stay open", async (_title, args, says) => {
    await runWaitsFor("other");
    const { code, stdout, stderr } = await skip(...args, "--reason", "x");
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(says)]);
    expect(await openSources()).toEqual(["other"]);
  });

  it.each([
    ["no reason", [runId, "other"], /--reason: must say why/],
    ["a blank reason", [runId, "other", "--reason", "  "], /--reason: must say why/],
    ["no source", [runId, "--reason", "x"], /RUN SOURCE: must be/],
    ["too much", [runId, "other", "another", "--reason", "x"], /RUN SOURCE: must be/],
  ])("%s → 2, and nothing is skipped", async (_title, args, says) => {
    await runWaitsFor("other");
    const { code, stderr } = await skip(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(await openSources()).toEqual(["other"]);
  });

  it("an API that does not answer → 1, and why", async () => {
    vi.stubEnv("INGATHER_API_URL", cloud.apiUrl);
    vi.stubEnv("INGATHER_TOKEN_URL", "http://127.0.0.1:1/oauth2/token");
    vi.stubEnv("INGATHER_CLIENT_ID", "client");
    vi.stubEnv("INGATHER_CLIENT_SECRET", "secret");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stderr } = await skip(runId, "other", "--reason", "x");
    expect([code, stderr]).toEqual([1, expect.stringContaining("did not answer")]);
  });
});
