import { describe, expect, it } from "vitest";
import { parseStartOptions } from "../../../local/start/start-options.ts";

describe("npm start --every", () => {
  it.each([
    [[], undefined],
    [["--every", "5s"], 5000],
    [["--every", "5m"], 300_000],
    [["--every", "2h"], 7_200_000],
  ])("%j → %s ms", (args, ms) => {
    expect(parseStartOptions(args)?.sweepEveryMs).toBe(ms);
  });

  it.each(["", "10", "4s", "25h", "-5s", "1.5m", "soon"])("%j → refused, naming option and value", (text) => {
    expect(() => parseStartOptions([`--every=${text}`])).toThrow(`--every: must be a time from 5s to 24h`);
  });
});

describe("npm start --probe", () => {
  it("absent → none; several, with a password and a comma → all, without the password, the comma escaped", () => {
    expect(parseStartOptions([])?.probeUrls).toEqual([]);
    const args = ["--probe", "http://bob:s3cret@127.0.0.1:9/", "--probe", "https://a.example/?x=1,2"];
    expect(parseStartOptions(args)?.probeUrls).toEqual(["http://127.0.0.1:9/", "https://a.example/?x=1%2C2"]);
  });

  it("no URL → refused, naming the option", () => {
    expect(() => parseStartOptions(["--probe", "google"])).toThrow("--probe: must be an http or https URL");
  });
});

describe("npm start --faults", () => {
  it("absent → none; with a seed → both; without → a seed that can be given again", () => {
    expect(parseStartOptions([])?.faults).toBeUndefined();
    const faults = parseStartOptions(["--faults", "0.03", "--seed", "7"])?.faults;
    expect(faults).toEqual({ probability: 0.03, seed: 7 });
    const { seed } = parseStartOptions(["--faults", ".5"])?.faults ?? {};
    expect(parseStartOptions(["--faults", ".5", "--seed", String(seed)])?.faults).toMatchObject({ seed });
  });

  it.each([
    [["--faults", "3"], "--faults: must be a probability of at most 0.5"],
    [["--faults", "0.51"], "--faults: must be a probability of at most 0.5"],
    [["--faults", "0.0"], "--faults: must be a probability of at most 0.5"],
    [["--faults", "0.1", "--seed", "x"], "--seed: must be a number of at most nine digits"],
    [["--seed", "1"], "--seed: needs --faults, whose seed it is"],
  ])("%j → refused, naming the option", (args, problem) => {
    expect(() => parseStartOptions(args)).toThrow(problem);
  });
});

describe("npm start --demo-port", () => {
  it.each([
    [[], 4871],
    [["--demo-port", "0"], 0],
    [["--demo-port", "65534"], 65_534],
  ])("%j → %s", (args, port) => {
    expect(parseStartOptions(args)?.demoPort).toBe(port);
  });

  it.each(["", "-1", "65535", "any"])("%j, which leaves none for the rotting site → refused", (text) => {
    expect(() => parseStartOptions([`--demo-port=${text}`])).toThrow("--demo-port: must be a port number");
  });
});

describe("npm start --feed", () => {
  it("a user name and password → left out", () => {
    const feeds = parseStartOptions(["--feed", "http://bob:s3cret@journal.example/feed"])?.feeds;
    expect(feeds).toEqual(["http://journal.example/feed"]);
  });
});

describe("npm start --sparql", () => {
  it("a URL → that endpoint; anything else → refused", () => {
    expect(parseStartOptions(["--sparql", "http://127.0.0.1:3030/ds"])?.sparql).toBe(
      "http://127.0.0.1:3030/ds",
    );
    expect(parseStartOptions([])?.sparql).toBeUndefined();
    expect(() => parseStartOptions(["--sparql", "fuseki"])).toThrow("--sparql: must be an http or https URL");
  });
});

describe("npm start --tika", () => {
  it("given → taken; otherwise none", () => {
    expect(parseStartOptions(["--tika", "http://127.0.0.1:9998"])?.tika).toBe("http://127.0.0.1:9998");
    expect(parseStartOptions([])?.tika).toBeUndefined();
  });

  it.each(["localhost:9998", "ftp://tika.example/", ""])("%j → refused, naming option and value", (url) => {
    expect(() => parseStartOptions(["--tika", url])).toThrow(
      `--tika: must be an http or https URL (got "${url}")`,
    );
  });
});

describe("npm start --user-agent", () => {
  it("given → taken; otherwise ours", () => {
    const given = "Library (+https://library.org/ingather)";
    expect(parseStartOptions(["--user-agent", given])?.userAgent).toBe(given);
    expect(parseStartOptions([])?.userAgent).toMatch(/^Ingather\//);
  });

  it("an unknown option → refused, naming it and the help", () => {
    expect(() => parseStartOptions(["--bogus"])).toThrow("unknown option --bogus; npm start -- --help lists");
  });

  it("no header value → refused, naming option and value", () => {
    expect(() => parseStartOptions(["--user-agent", "Ingather – Bibliothek"])).toThrow(
      "--user-agent: must be",
    );
  });
});
