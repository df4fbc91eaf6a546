import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../temporary-folder.ts";
import {
  envelope,
  errorPage,
  listPage,
  pagesOf,
  record,
  type Script,
  scriptedRepository,
} from "../harvest/scripted-repository.ts";
import { jsonLines, runCommand } from "./run-command.ts";

const fast = ["--delay", "0", "--allow-private"];

function outFolder(): string {
  const folder = temporaryFolder();
  return join(folder, "out");
}

const identifiers = (text: string) =>
  jsonLines(text).flatMap(({ type, identifier }) => (type === "document" ? [identifier] : []));

const twoPages: Script = ({ resumptionToken }) =>
  resumptionToken === undefined
    ? listPage([record("a", { title: "A &amp; B" }), record("b", { deleted: true })], "2")
    : listPage([record("c")], "");

describe("harvest of an OAI-PMH repository", () => {
  it("--json → each document once, the summary last, exit code 0", async () => {
    const { baseUrl } = await scriptedRepository(twoPages);
    const { code, stdout } = await runCommand(["harvest", baseUrl, "--json", ...fast]);
    expect(jsonLines(stdout)).toEqual([
      {
        type: "document",
        identifier: "a",
        datestamp: "2026-04-01",
        deleted: false,
        sets: ["s1"],
        title: "A & B",
      },
      { type: "document", identifier: "b", datestamp: "2026-04-01", deleted: true, sets: ["s1"] },
      {
        type: "document",
        identifier: "c",
        datestamp: "2026-04-01",
        deleted: false,
        sets: ["s1"],
        title: "Title c",
      },
      { type: "summary", complete: true, completeness: "complete", documents: 3, deleted: 1, pages: 2 },
    ]);
    expect(code).toBe(0);
  });

  it.each<[string, Script, object]>([
    [
      "short",
      ({ resumptionToken }) =>
        resumptionToken === undefined
          ? listPage([record("a")], "2", 'completeListSize="9"')
          : listPage([record("b")], ""),
      {
        completeness: "short",
        reason: "completeListSize says 9, but the list has 2 records",
        documents: 2,
        deleted: 0,
        pages: 2,
      },
    ],
    [
      "shifting",
      ({ resumptionToken }) =>
        resumptionToken === undefined
          ? listPage([record("a"), record("b")], "2", 'completeListSize="4"')
          : listPage([record("c"), record("a")], "", 'completeListSize="4"'),
      {
        completeness: "shifting",
        reason: "the list changed while it was read: 1 of its 4 records are repetitions",
        documents: 3,
        deleted: 0,
        pages: 2,
      },
    ],
    [
      "interrupted",
      () => errorPage("cannotDisseminateFormat"),
      {
        completeness: "interrupted",
        reason: "cannotDisseminateFormat: said so",
        documents: 0,
        deleted: 0,
        pages: 1,
      },
    ],
    [
      "interrupted",
      () => ({ status: 403 }),
      {
        completeness: "interrupted",
        reason: expect.stringContaining("answered 403"),
        documents: 0,
        deleted: 0,
        pages: 0,
      },
    ],
  ])("a list that is %s → its reason, exit code 1", async (_, script, summary) => {
    const { baseUrl } = await scriptedRepository(script);
    const { code, stdout } = await runCommand(["harvest", baseUrl, "--json", ...fast]);
    expect(jsonLines(stdout).at(-1)).toEqual({ type: "summary", complete: false, ...summary });
    expect(code).toBe(1);
  });

  it("a list that is restarted, as its token has expired → complete: it repeats nothing", async () => {
    const { baseUrl } = await scriptedRepository(({ resumptionToken }, nth) => {
      if (resumptionToken === undefined)
        return listPage([record("a"), record("b")], nth === 1 ? "old" : "new");
      return resumptionToken === "old" ? errorPage("badResumptionToken") : listPage([record("c")], "");
    });
    const { code, stdout } = await runCommand(["harvest", baseUrl, "--json", ...fast]);
    expect(identifiers(stdout)).toEqual(["a", "b", "c"]);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ completeness: "complete", documents: 3 });
    expect(code).toBe(0);
  });

  it.each([
    [() => errorPage("noRecordsMatch"), 0],
    [
      ({ resumptionToken: t }: Readonly<Record<string, string>>) =>
        t === undefined ? listPage([record("a")], "2") : errorPage("noRecordsMatch"),
      1,
    ],
  ] as [Script, number][])(
    "noRecordsMatch, at once or after a token → complete",
    async (script, documents) => {
      const { baseUrl } = await scriptedRepository(script);
      const { code, stdout } = await runCommand(["harvest", baseUrl, "--json", ...fast]);
      expect(jsonLines(stdout).at(-1)).toMatchObject({ completeness: "complete", documents });
      expect(code).toBe(0);
    },
  );

  it("options → arguments of the request", async () => {
    const { baseUrl, requested } = await scriptedRepository(twoPages);
    await runCommand([
      "harvest",
      baseUrl,
      "--prefix",
      "mods",
      "--set",
      "s:1",
      "--from",
      "2026-01-01",
      "--until",
      "2026-02-01",
      ...fast,
    ]);
    expect(requested[0]).toBe("metadataPrefix=mods&set=s:1&from=2026-01-01&until=2026-02-01");
  });

  it("a whole ListRecords URL as pasted → its arguments; options count first", async () => {
    const { baseUrl, requested } = await scriptedRepository(twoPages);
    await runCommand([
      "harvest",
      `${baseUrl}?verb=ListRecords&metadataPrefix=mods&set=x&key=1#top`,
      "--set",
      "y",
      ...fast,
    ]);
    expect(requested[0]).toBe("key=1&metadataPrefix=mods&set=y");
  });

  it("a ListRecords URL with a token → the rest of the list", async () => {
    const { baseUrl, requested } = await scriptedRepository(twoPages);
    const { stdout } = await runCommand([
      "harvest",
      `${baseUrl}?verb=ListRecords&resumptionToken=2`,
      "--json",
      ...fast,
    ]);
    expect(identifiers(stdout)).toEqual(["c"]);
    expect(requested).toEqual(["resumptionToken=2"]);
  });

  it("a base URL without any option that says so → recognised by its Identify", async () => {
    const { baseUrl, requested } = await scriptedRepository((args, nth) =>
      args.verb === "Identify" ? envelope("<Identify/>") : twoPages(args, nth),
    );
    const { stdout, code } = await runCommand(["harvest", baseUrl, "--allow-private"]);
    expect(stdout).toBe("a  2026-04-01  A & B\nb  2026-04-01  (deleted)\nc  2026-04-01  Title c\n");
    expect(code).toBe(0);
    expect(requested[0]).toBe("verb=Identify");
  });

  it.each([
    [["ftp://x/oai", "--json"], "URL: must be the http(s) URL"],
    [["http://127.0.0.1/oai?verb=GetRecord", "--json"], "has the verb GetRecord"],
    [["http://127.0.0.1/oai", "--from", "yesterday"], "--from: must be a date"],
    [["http://127.0.0.1/oai", "--from", "2026-02-30T00:00:00"], "--from: must be a date"],
    [["http://127.0.0.1/oai", "--set", "s".repeat(9000)], "URL: must have at most 8192 characters"],
    [["http://127.0.0.1/oai", "--from", "2026-02-31"], "--from: must be a date"],
    [["http://127.0.0.1/oai", "--until", "2026-04-31T00:00:00Z"], "--until: must be a date"],
    [
      ["http://127.0.0.1/oai", "--from", "2026-02-01", "--until", "2026-01-01"],
      "--until: must not be before",
    ],
    [
      ["http://127.0.0.1/oai", "--from", "2026-02-01", "--until", "2026-03-01T00:00:00Z"],
      "--until: must be as precise",
    ],
    [["http://127.0.0.1/oai", "--delay", "soon"], "--delay: must be a whole number"],
    [["http://127.0.0.1/oai?verb=ListRecords&resumptionToken=1", "--set", "s"], "--set: cannot be combined"],
    [["http://127.0.0.1/oai", "http://127.0.0.1/oai", "--json"], "URL: must be a single URL"],
  ])("%j → wrong use, exit code 2", async (args, problem) => {
    const { code, stderr, stdout } = await runCommand(["harvest", ...args, "--allow-private"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
  });

  it("without --allow-private → a private host is refused, exit code 1", async () => {
    const { baseUrl, requested } = await scriptedRepository(twoPages);
    const { code, stdout } = await runCommand(["harvest", baseUrl, "--json"]);
    expect(jsonLines(stdout)[0]).toMatchObject({
      completeness: "interrupted",
      reason: expect.stringContaining("not fetched"),
    });
    expect({ code, requested }).toEqual({ code: 1, requested: [] });
  });

  it("a terminal → progress by completeListSize where it can be believed, else a count", async () => {
    const { baseUrl } = await scriptedRepository(({ resumptionToken = "1" }) => {
      const size = resumptionToken === "2" ? 'completeListSize="1"' : 'completeListSize="4"';
      return listPage(
        [record(resumptionToken)],
        resumptionToken === "3" ? "" : String(Number(resumptionToken) + 1),
        size,
      );
    });
    const { stderr } = await runCommand(["harvest", baseUrl, "--json", ...fast], { terminal: true });
    expect(stderr).toContain("1/4  page 1");
    expect(stderr).toContain("2 records, page 2");
  });
});

describe("--out", () => {
  it("→ descriptions, and records with their metadata, each once", async () => {
    const out = outFolder();
    const { baseUrl } = await scriptedRepository(twoPages);
    const { stdout } = await runCommand(["harvest", baseUrl, "--out", out, ...fast]);
    expect(stdout).toBe("");
    expect(identifiers(readFileSync(join(out, "documents.jsonl"), "utf8"))).toEqual(["a", "b", "c"]);
    const records = readFileSync(join(out, "records.xml"), "utf8");
    expect(records.match(/<identifier>/g)).toHaveLength(3);
    expect(records).toContain("<e:title>A &amp; B</e:title>");
    expect(records).toMatch(/^<\?xml.*<\/ListRecords>\n$/s);
  });

  it("stopped by Ctrl-C → the same command continues at the token; together each document once", async () => {
    const out = outFolder();
    const stop = new AbortController();
    const { baseUrl, requested } = await scriptedRepository((args, nth) => {
      if (args.resumptionToken === "2" && nth === 1) stop.abort(new Error("Ctrl-C"));
      return pagesOf("ab", "bc", "cd", "de")(args, nth);
    });
    const args = ["harvest", baseUrl, "--json", "--out", out, ...fast];
    const stopped = await runCommand(args, { signal: stop.signal });
    expect(stopped.code).toBe(130);
    expect(jsonLines(stopped.stdout).at(-1)).toMatchObject({
      completeness: "interrupted",
      reason: "stopped",
    });
    const before = requested.length;
    const continued = await runCommand(args);
    expect(requested[before]).toBe("resumptionToken=2");
    expect([...identifiers(stopped.stdout), ...identifiers(continued.stdout)]).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
    ]);
    expect(identifiers(readFileSync(join(out, "documents.jsonl"), "utf8"))).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
    ]);
    expect(readFileSync(join(out, "records.xml"), "utf8").match(/<record>/g)).toHaveLength(5);
    expect(jsonLines(continued.stdout).at(-1)).toEqual({
      type: "summary",
      complete: false,
      completeness: "shifting",
      reason: "the list changed while it was read: 3 of its 8 records are repetitions",
      documents: 5,
      deleted: 0,
      pages: 4,
    });
    expect(continued.code).toBe(1);
  });

  it("killed after it wrote more than its checkpoint → what came later is written once", async () => {
    const out = outFolder();
    let isDown = true;
    const { baseUrl } = await scriptedRepository((args, nth) =>
      args.resumptionToken === "1" && isDown ? { status: 403 } : pagesOf("ab", "cd")(args, nth),
    );
    const args = ["harvest", baseUrl, "--out", out, ...fast];
    expect((await runCommand(args)).code).toBe(1);
    for (const file of ["documents.jsonl", "records.xml"])
      writeFileSync(join(out, file), "half a li", { flag: "a" });
    isDown = false;
    expect((await runCommand(args)).code).toBe(0);
    expect(identifiers(readFileSync(join(out, "documents.jsonl"), "utf8"))).toEqual(["a", "b", "c", "d"]);
    expect(
      readFileSync(join(out, "records.xml"), "utf8")
        .match(/<identifier>./g)
        ?.join(""),
    ).toBe("<identifier>a<identifier>b<identifier>c<identifier>d");
  });

  it("a finished harvest → a new one replaces it; another unfinished one → refused", async () => {
    const out = outFolder();
    const { baseUrl } = await scriptedRepository(twoPages);
    await runCommand(["harvest", baseUrl, "--out", out, ...fast]);
    await runCommand(["harvest", baseUrl, "--out", out, ...fast]);
    expect(identifiers(readFileSync(join(out, "documents.jsonl"), "utf8"))).toEqual(["a", "b", "c"]);
    const other = await scriptedRepository(({ resumptionToken }) =>
      resumptionToken ? { status: 403 } : listPage([record("z")], "9"),
    );
    expect((await runCommand(["harvest", other.baseUrl, "--out", out, ...fast])).code).toBe(1);
    const { code, stderr } = await runCommand(["harvest", baseUrl, "--out", out, ...fast]);
    expect(code).toBe(2);
    expect(stderr).toContain(`holds an unfinished harvest of ${other.baseUrl}`);
  });

  it("without --out, interrupted → says with which URL to continue", async () => {
    const { baseUrl } = await scriptedRepository(({ resumptionToken }) =>
      resumptionToken ? { status: 403 } : listPage([record("a")], "9"),
    );
    const { stderr } = await runCommand(["harvest", baseUrl, "--json", ...fast]);
    expect(stderr).toContain(
      `Continue with npx ingather harvest '${baseUrl}?verb=ListRecords&resumptionToken=9'`,
    );
  });
});

it("--files → files are stored as what they are; a web page is none", async () => {
  const out = outFolder();
  const { baseUrl } = await scriptedRepository((args) => {
    if (args.file === "pdf")
      return { headers: { "content-type": "application/pdf" }, body: "%PDF-1.4 content" };
    if (args.file === "page")
      return { headers: { "content-type": "application/pdf" }, body: "<!doctype html><title>Log in</title>" };
    const relations = ["pdf", "page"]
      .map((name) => `<e:relation>${baseUrlOf()}?file=${name}</e:relation>`)
      .join("");
    return listPage([record("a").replace("</dc:dc>", `${relations}</dc:dc>`)], "");
  });
  function baseUrlOf(): string {
    return baseUrl;
  }
  const { code } = await runCommand(["harvest", baseUrl, "--files", "--out", out, ...fast]);
  expect(code).toBe(0);
  const [document] = jsonLines(readFileSync(join(out, "documents.jsonl"), "utf8"));
  expect(document.files).toMatchObject([
    { url: `${baseUrl}?file=pdf`, contentType: "application/pdf", sizeBytes: 16 },
    { url: `${baseUrl}?file=page`, problem: "it is a web page, not a file" },
  ]);
  expect(readFileSync(join(out, document.files[0].file), "utf8")).toBe("%PDF-1.4 content");
  expect((await runCommand(["harvest", baseUrl, "--files", ...fast])).code).toBe(2);
});

describe("titles", () => {
  it.each([
    [
      "marcxml",
      '<m:record xmlns:m="http://www.loc.gov/MARC21/slim"><m:leader>00000nam a2200000 a 4500</m:leader><m:datafield tag="245" ind1="1" ind2="0"><m:subfield code="a">Bees :</m:subfield><m:subfield code="b">a study /</m:subfield></m:datafield></m:record>',
      "Bees : a study",
    ],
    [
      "mods",
      '<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>Bees</title></titleInfo><relatedItem><titleInfo><title>Journal</title></titleInfo></relatedItem></mods>',
      "Bees",
    ],
  ])("of %s → in the description", async (prefix, metadata, title) => {
    const { baseUrl } = await scriptedRepository(() =>
      listPage([
        `<record><header><identifier>a</identifier><datestamp>2026-01-01</datestamp></header><metadata>${metadata}</metadata></record>`,
      ]),
    );
    const { stdout } = await runCommand(["harvest", baseUrl, "--prefix", prefix, "--json", ...fast]);
    expect(jsonLines(stdout)[0]).toMatchObject({ title });
  });
});

describe("oai", () => {
  const about: Script = ({ verb, resumptionToken }) => {
    if (verb === "Identify")
      return envelope(
        "<Identify><repositoryName>Bees</repositoryName><deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DD</granularity></Identify>",
      );
    if (verb === "ListMetadataFormats")
      return envelope(
        "<ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>http://s</schema><metadataNamespace>http://n</metadataNamespace></metadataFormat></ListMetadataFormats>",
      );
    const [spec, token] = resumptionToken === undefined ? ["a", "2"] : ["b", ""];
    return envelope(
      `<ListSets><set><setSpec>${spec}</setSpec><setName>Set ${spec}</setName></set><resumptionToken>${token}</resumptionToken></ListSets>`,
    );
  };

  it.each([
    ["identify", "name             Bees\ndeleted records  persistent\ngranularity      YYYY-MM-DD\n"],
    ["sets", "a  Set a\nb  Set b\n"],
    ["formats", "oai_dc           http://n  http://s\n"],
  ])("%s → for people", async (question, text) => {
    const { baseUrl } = await scriptedRepository(about);
    const { code, stdout } = await runCommand([
      "oai",
      `${baseUrl}?verb=ListRecords&metadataPrefix=x`,
      question,
      ...fast,
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: text });
  });

  it("--json → a value", async () => {
    const { baseUrl } = await scriptedRepository(about);
    const { stdout } = await runCommand(["oai", baseUrl, "sets", "--json", ...fast]);
    expect(JSON.parse(stdout)).toEqual([
      { spec: "a", name: "Set a" },
      { spec: "b", name: "Set b" },
    ]);
  });

  it("a repository without sets → says so, exit code 0", async () => {
    const { baseUrl } = await scriptedRepository(() => errorPage("noSetHierarchy"));
    expect(await runCommand(["oai", baseUrl, "sets", ...fast])).toMatchObject({
      code: 0,
      stdout: "The repository has no sets.\n",
    });
  });

  it.each<[string, Script, string]>([
    ["HTML instead of Identify", () => "<html><body>Hello</body></html>", "it is a web page, not OAI-PMH"],
    ["HTML with a bare &", () => "<!DOCTYPE html><html><br>A & B</html>", "it is a web page, not OAI-PMH"],
    [
      "the namespace of version 1.1",
      () => envelope("<Identify/>").replace("OAI/2.0", "OAI/1.1"),
      "root element is OAI-PMH in http://www.openarchives.org/OAI/1.1/",
    ],
    ["an error", () => errorPage("badVerb"), "badVerb: said so"],
    ["Identify without its element", () => envelope(""), "no Identify element"],
  ])("%s → the reason, exit code 1", async (_, script, reason) => {
    const { baseUrl } = await scriptedRepository(script);
    const { code, stderr } = await runCommand(["oai", baseUrl, "identify", ...fast]);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });

  it.each([
    [["http://x/oai"]],
    [["http://x/oai", "sing"]],
    [["x", "sets"]],
    [["http://x/oai", "sets", "more"]],
  ])("%j → wrong use, exit code 2", async (args) => {
    expect((await runCommand(["oai", ...args])).code).toBe(2);
  });
});
