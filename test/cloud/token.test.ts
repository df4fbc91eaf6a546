import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { machineLoginFile, readMachineLogin } from "../../local/cloud/cognito/machine-client.ts";
import { runCommand } from "../local/cli/commands/run-command.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const stateDir = stateFolder();
const file = join(stateDir, "token");
let cloud: LocalCloud;
beforeAll(async () => {
  cloud = await testCloud(stateDir, { polling: false });
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
});

const token = (...args: string[]) => runCommand(["token", "--state", stateDir, ...args]);
const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000);

async function ask(method: string, path: string, accessToken: string): Promise<number> {
  const answer = await fetch(cloud.apiUrl + path, {
    method,
    headers: { authorization: `Bearer ${accessToken.trim()}`, "content-type": "application/json" },
    ...(method === "POST" && { body: '{"mode":"TEST"}' }),
  });
  return answer.status;
}

describe("npx ingather token", () => {
  it("on the machine of npm start → a token that runs, with the role of an operator", async () => {
    const { code, stdout } = await token();
    expect(code).toBe(0);
    expect(await ask("GET", "/runs", stdout)).toBe(200);
    expect(await ask("POST", "/runs", stdout)).toBe(202);
  });

  it("--role viewer → reads, and changes nothing", async () => {
    const { stdout } = await token("--role", "viewer");
    expect(await ask("GET", "/runs", stdout)).toBe(200);
    expect(await ask("POST", "/runs", stdout)).toBe(403);
  });

  it("--file → kept for its owner alone, and renewed five minutes before it is over", async () => {
    const first = (await token("--file", file)).stdout;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    minutes(54);
    expect((await token("--file", file)).stdout).toBe(first);
    minutes(2);
    const renewed = (await token("--file", file)).stdout;
    expect(renewed).not.toBe(first);
    expect(await ask("GET", "/runs", renewed)).toBe(200);
    expect((await token("--file", file, "--role", "viewer")).stdout).not.toBe(renewed);
    writeFileSync(file, "{broken");
    expect((await token("--file", file)).code).toBe(0);
  });

  it("a wrong secret → 1, and why; the secret is not shown", async () => {
    const login = readMachineLogin(stateDir);
    for (const [name, value] of [
      ["INGATHER_TOKEN_URL", login?.tokenUrl],
      ["INGATHER_CLIENT_ID", login?.clientId],
      ["INGATHER_CLIENT_SECRET", "a-wrong-secret"],
    ] as const) {
      vi.stubEnv(name, value);
    }
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stdout, stderr } = await token();
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/401.*invalid_client/);
    expect(stderr).not.toContain("a-wrong-secret");
  });

  it.each([
    [["--role", "admin"], /--role: must be viewer or operator \(got "admin"\)/],
    [["now"], /takes options only/],
  ])("%j → 2, and why", async (args, says) => {
    const { code, stderr } = await token(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  });

  it("some of the variables alone → 2, naming one that is missing", async () => {
    vi.stubEnv("INGATHER_CLIENT_ID", "x");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stderr } = await token();
    expect([code, stderr]).toEqual([2, expect.stringContaining("INGATHER_TOKEN_URL: is missing")]);
  });

  it("a state folder without a start → 2, and what to do", async () => {
    const { code, stderr } = await runCommand(["token", "--state", stateFolder()]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("npm start was never run")]);
  });

  it("the secret on this machine → only its owner may read it, and it stays", () => {
    expect(statSync(join(stateDir, machineLoginFile)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(join(stateDir, machineLoginFile), "utf8"))).toMatchObject({
      tokenUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oauth2\/token$/),
    });
  });
});
