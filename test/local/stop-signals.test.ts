import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { stopOnSignals, stoppedExitCode } from "../../local/stop-signals.ts";

class FakeProcess extends EventEmitter {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

describe("signals to stop", () => {
  it.each<
    [title: string, sent: [event: string, afterMs: number, message?: string][], code: number, exits: number[]]
  >([
    ["SIGINT", [["SIGINT", 0]], 130, []],
    ["SIGTERM", [["SIGTERM", 0]], 143, []],
    ["SIGTERM that is forwarded", [["message", 0, "SIGTERM"]], 143, []],
    [
      "Ctrl-C, which npm hands on as well",
      [
        ["SIGINT", 0],
        ["SIGINT", 50],
      ],
      130,
      [],
    ],
    [
      "Ctrl-C, which ingather.js hands on as well",
      [
        ["SIGINT", 0],
        ["message", 5, "SIGINT"],
      ],
      130,
      [],
    ],
    [
      "SIGTERM after Ctrl-C → the first counts",
      [
        ["SIGINT", 0],
        ["SIGTERM", 5],
      ],
      130,
      [],
    ],
    [
      "Ctrl-C again, two seconds later → ends at once",
      [
        ["SIGINT", 0],
        ["SIGINT", 2000],
      ],
      130,
      [130],
    ],
  ])("%s", (_title, sent, code, exits) => {
    const fake = new FakeProcess();
    let nowMs = 5000;
    const { signal } = stopOnSignals(fake, () => nowMs);
    expect(signal.aborted).toBe(false);
    for (const [event, afterMs, message] of sent) {
      nowMs = 5000 + afterMs;
      fake.emit(event, message);
    }
    expect(signal.aborted).toBe(true);
    expect(stoppedExitCode(signal)).toBe(code);
    expect(fake.exits).toEqual(exits);
  });

  it("another message → nothing is stopped", () => {
    const fake = new FakeProcess();
    const { signal } = stopOnSignals(fake);
    fake.emit("message", { type: "hello" });
    expect(signal.aborted).toBe(false);
  });

  it("stopped by us, as a reader has gone → 130", () => {
    expect(stoppedExitCode(AbortSignal.abort())).toBe(130);
  });
});
