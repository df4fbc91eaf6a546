import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { validationRuleSubject } from "../../../../shared/deliver/routes/validation-rule-routes.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";

let ports: MemoryPorts;
beforeEach(() => {
  ports = new MemoryPorts();
  const journal = {
    sourceId: "journal",
    title: "Journal",
    type: "RSS",
    url: "https://a.example/",
    groupId: "G",
  } as const;
  ports.sourcesById.set("journal", source.parse(journal));
});

/** As the gateway's handler answers: bad input is a 400. */
async function request(method: string, query = "", body?: unknown) {
  const app = serve([validationRuleSubject], ports);
  const answer = await app.request(`/validation-rules${query}`, {
    method,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

const rule = { tag: "245", subfield: "a", presence: "always" };
const etag = expect.stringMatching(/^"\S+"$/);
const whole = { source: null, recordType: "regular", regex: null, ...rule, etag };

describe("/validation-rules", () => {
  it("PUT → listed, with defaults", async () => {
    expect(await request("PUT", "", rule)).toMatchObject({ status: 200, body: whole });
    expect((await request("GET")).body).toEqual({ rules: [whole] });
  });

  it("the first rule → a warning that names the fields without a rule", async () => {
    const { warning } = (await request("PUT", "", { ...rule, recordType: "review" })).body;
    expect(warning).toMatch(/refused.*: 024, 040, 041,.* 936, JOU, NOT, PNO, URL, ZID$/);
    for (const tag of ["001", "245", "655"]) expect(warning).not.toContain(tag);
  });

  it("the example imported twice → all its rules, and no warning", async () => {
    const example = JSON.parse(readFileSync("docs/validation-rules.example.json", "utf8"));
    const imported = { status: 200, body: { imported: example.rules.length } };
    for (const _time of [1, 2]) expect(await request("POST", "/import", example)).toEqual(imported);
    expect(ports.validationRules.size).toBe(example.rules.length);
    for (const source of [null, "journal"])
      expect(await request("PUT", "", { ...rule, source })).toEqual({
        status: 200,
        body: { ...whole, source },
      });
  });

  it.each([
    [{ rules: [rule, { ...rule, tag: "title" }] }, /^rules\.1\.tag: .*"title"/],
    [{ rules: [rule, rule] }, /^rules\.1: a second rule for \* regular 245 a/],
    [{ rules: [rule, { ...rule, source: "none" }] }, /^source: there is no such source \(got "none"\)/],
    [[rule], /^\(whole\)/],
  ])("POST /import of %j → 400, nothing is written", async (body, says) => {
    const answer = await request("POST", "/import", body);
    expect(answer).toEqual({
      status: 400,
      body: expect.objectContaining({ detail: expect.stringMatching(says) }),
    });
    expect(ports.validationRules.size).toBe(0);
  });

  it("PUT with the same key → replaced", async () => {
    await request("PUT", "", rule);
    await request("PUT", "", { ...rule, presence: "ignore" });
    expect((await request("GET")).body).toEqual({ rules: [{ ...whole, presence: "ignore" }] });
  });

  it("GET of a source → only its own rules", async () => {
    await request("PUT", "", rule);
    await request("PUT", "", { ...rule, source: "journal" });
    expect((await request("GET", "?source=journal")).body).toEqual({
      rules: [{ ...whole, source: "journal" }],
    });
  });

  it("GET of a removed source → its rules", async () => {
    await request("PUT", "", { ...rule, source: "journal" });
    ports.sourcesById.delete("journal");
    expect((await request("GET", "?source=journal")).body.rules).toHaveLength(1);
  });

  it("more rules than a page may hold → the rest on the next", async () => {
    for (const subfield of ["c", "a", "b"]) await request("PUT", "", { ...rule, subfield });
    const first = (await request("GET", "?limit=2")).body;
    const second = (await request("GET", `?limit=2&after=${encodeURIComponent(first.next)}`)).body;
    const shown = [first, second].map(({ rules }) => rules.map((each: typeof rule) => each.subfield));
    expect(shown).toEqual([["a", "b"], ["c"]]);
    expect(second.next).toBeUndefined();
  });

  it("DELETE → removed; again → 404", async () => {
    await request("PUT", "", rule);
    await request("PUT", "", { ...rule, source: "journal" });
    expect((await request("DELETE", "?tag=245&subfield=a")).status).toBe(204);
    expect((await request("GET")).body.rules).toEqual([{ ...whole, source: "journal" }]);
    const again = await request("DELETE", "?tag=245&subfield=a");
    expect(again).toEqual({
      status: 404,
      body: expect.objectContaining({ detail: "there is no rule * regular 245 a" }),
    });
  });

  it.each([
    { title: "no JSON", body: "{", says: /^body: is not JSON/ },
    { title: "a tag in words", body: { ...rule, tag: "title" }, says: /^tag: .*"title"/ },
    { title: "no presence", body: { ...rule, presence: undefined }, says: /^presence: / },
    { title: "an unknown name", body: { ...rule, pattern: "a" }, says: /pattern/ },
    { title: "a pattern that backtracks", body: { ...rule, regex: "(?=a)" }, says: /^regex: .*lookaround/ },
    {
      title: "a source that there is not",
      body: { ...rule, source: "none" },
      says: /^source: there is no such source \(got "none"\)/,
    },
  ])("PUT with $title → 400 that names it, nothing is written", async ({ body, says }) => {
    const answer = await request("PUT", "", body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(says);
    expect(ports.validationRules.size).toBe(0);
  });

  it.each([
    { method: "GET", query: "?sorce=a", says: /sorce/ },
    { method: "GET", query: "?source=none", says: /^source: there is no such source \(got "none"\)/ },
    { method: "GET", query: "?after=made-up", says: /^after: .*"made-up"/ },
    {
      method: "GET",
      query: "?source=journal&after=*%20regular%20245%20a",
      says: /^after: .*"\* regular 245 a"/,
    },
    { method: "DELETE", query: "", says: /^tag: / },
    { method: "DELETE", query: "?tag=245&subfield=ab", says: /^subfield: .*"ab"/ },
  ])("$method $query → 400", async ({ method, query, says }) => {
    const answer = await request(method, query);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(says);
  });
});
