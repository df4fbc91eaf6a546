import { describe, expect, it } from "vitest";
import { modelRepository } from "../../../shared/harvest/repository-check/model-repository.ts";
import { type Script, scriptedRepository } from "../harvest/scripted-repository.ts";
import { runCommand } from "./run-command.ts";

const fast = ["--delay", "0", "--allow-private"];

/** A repository on loopback, with its own address and today's date. */
async function repository(script: Script) {
  const now = new Date().toISOString();
  const served = await scriptedRepository((args, nth) => {
    const answer = script(args, nth);
    if (typeof answer !== "string") return answer;
    return answer
      .replace(/<responseDate>.*?</, `<responseDate>${now}<`)
      .replace("http://r.example/oai", served.baseUrl);
  });
  return served;
}

describe("oai URL check", () => {
  it("a repository without fault → its rating and a source, exit code 0", async () => {
    const { baseUrl, requested } = await repository(modelRepository());
    const { code, stdout } = await runCommand(["oai", baseUrl, "check", ...fast]);
    expect(stdout).toContain("Model: 12 records (0 deleted) on 3 pages, completeListSize 12\n");
    expect(stdout).toContain("oai_dc, of 12 records: title 100 %, creator 100 %");
    expect(stdout).toContain('"type": "OAI-PMH"');
    // By loopback, the only finding.
    expect(stdout.match(/^(?:info|warning|error) .*$/gm)).toEqual([
      expect.stringMatching(/^info +plain-http: /),
    ]);
    expect(code).toBe(0);
    expect(requested).toContain("verb=GetRecord&identifier=oai:r:0&metadataPrefix=oai_dc");
  });

  it.each<[string, Script, number]>([
    ["warnings", modelRepository({ announced: () => 20 }), 1],
    [
      "errors",
      modelRepository({ instead: ({ verb }) => (verb === "GetRecord" ? "<html></html>" : undefined) }),
      3,
    ],
  ])("%s → exit code", async (_name, script, expected) => {
    const { baseUrl } = await repository(script);
    const { code, stdout } = await runCommand(["oai", baseUrl, "check", "--json", ...fast]);
    expect(JSON.parse(stdout)).toMatchObject({ complete: true, list: { records: 12 } });
    expect(code).toBe(expected);
  });

  it("stopped by Ctrl-C → JSON of what was seen, which says so, exit code 130", async () => {
    const stop = new AbortController();
    const { baseUrl } = await repository((args, nth) => {
      if (args.resumptionToken !== undefined) stop.abort();
      return modelRepository()(args, nth);
    });
    const args = ["oai", baseUrl, "check", "--json", ...fast];
    const { code, stdout } = await runCommand(args, { signal: stop.signal });
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, reason: "stopped", list: { records: 5 } });
    expect(code).toBe(130);
  });

  it("a repository that is gone before the end → JSON of what was seen, which says so, exit code 3", async () => {
    let isGone = false;
    const { baseUrl } = await repository((args, nth) => {
      isGone ||= args.resumptionToken !== undefined;
      return isGone ? { status: 410 } : modelRepository()(args, nth);
    });
    const { code, stdout, stderr } = await runCommand(["oai", baseUrl, "check", "--json", ...fast]);
    const { complete, reason, list } = JSON.parse(stdout);
    expect({ complete, list }).toMatchObject({ complete: false, list: { records: 5, whole: false } });
    expect(reason).toMatch(/answered 410$/);
    expect(stderr).toContain("incomplete: ");
    expect(code).toBe(3);
  });

  it("a private host that is not permitted → refused at once, with the option that permits it", async () => {
    const { baseUrl, requested } = await repository(modelRepository());
    const { code, stdout, stderr } = await runCommand(["oai", baseUrl, "check", "--json", "--delay", "0"]);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, requests: 1 });
    expect(stderr).toContain("--allow-private");
    expect({ code, requested }).toEqual({ code: 3, requested: [] });
  });

  it.each([
    [["check", "--pages", "0"], "--pages"],
    [["sets", "--pages", "2"], "are permitted only with check"],
    [["chek"], "identify, sets, formats or check"],
  ])("%j → wrong use", async (args, said) => {
    const { code, stderr } = await runCommand(["oai", "https://r.example/oai", ...args]);
    expect(stderr).toContain(said);
    expect(code).toBe(2);
  });
});
