import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePorts } from "../free-ports.ts";
import { listen } from "../listen.ts";
import { stateFolder } from "./local-cloud.ts";
import { startProcess } from "./start-process.ts";

describe("npm start", () => {
  it("--every, and a feed that takes long → swept before the first run is done", async () => {
    const stateDir = stateFolder();
    const isSwept = () => existsSync(join(stateDir, "logs/ingather-sweep-collections.log"));
    const server = createServer(async (_request, answer) => {
      while (!isSwept()) await new Promise((resolve) => setTimeout(resolve, 50));
      answer.writeHead(404).end();
    });
    const origin = await listen(server);
    onTestFinished(() => void server.close());
    const started = await startProcess(stateDir, "--every", "5s", "--feed", `${origin}/feed`);
    await started.waitForLine(/^Ingather stays up/);
    expect(isSwept()).toBe(true);
    expect(started.lines.indexOf("Collections are swept every 5 s.")).toBeLessThan(
      started.lines.findIndex((line) => line.startsWith("Mails: ")),
    );
    started.process.kill("SIGTERM");
    expect(await started.ended).toBe(0);
  });

  it("--probe of an address that nobody serves → says that our network is down", async () => {
    const started = await startProcess(stateFolder(), "--probe", `http://127.0.0.1:${await freePorts()}/`);
    const line = await started.waitForLine(/^Our network has been down since /);
    expect(line).toMatch(/: http:\/\/127\.0\.0\.1:\d+\/: connect: .* nothing is requested or judged\.$/);
    started.process.kill("SIGTERM");
    await started.ended;
    expect(started.lines.filter((each) => /Ingather stopped|probe-network/i.test(each))).toEqual([]);
  });
});
