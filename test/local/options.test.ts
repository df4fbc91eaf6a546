import { describe, expect, it } from "vitest";
import { startOptions } from "../../local/options.ts";

describe("npm start --every", () => {
  it.each([
    [[], 10_000],
    [["--every", "5s"], 5000],
    [["--every", "5m"], 300_000],
    [["--every", "2h"], 7_200_000],
  ])("%j → %i ms", (args, ms) => {
    expect(startOptions(args)?.sweepEveryMs).toBe(ms);
  });

  it.each(["", "10", "4s", "25h", "-5s", "1.5m", "soon"])("%j → refused, naming option and value", (text) => {
    expect(() => startOptions([`--every=${text}`])).toThrow(`--every: must be a time from 5s to 24h`);
  });
});
