import { expect, it, onTestFinished } from "vitest";
import { InProcessGate } from "../../../../local/cli/harvest/in-process-gate.ts";
import { readOaiList } from "../../../../local/cli/harvest/oai-list.ts";
import { reasonOf } from "../../../../shared/formats/oai/completeness.ts";
import { startList } from "../../../../shared/formats/oai/list-state.ts";
import type { ListArguments } from "../../../../shared/formats/oai/request-url.ts";
import { allowingHostsOf } from "../../../../shared/web/address/admit-url.ts";
import {
  type Asked,
  type Reply,
  type Settings,
  StrictRepository,
  serveStrictly,
  writeToken,
} from "./strict-repository.ts";

/** Reads a list of the repository: how it ended, and how many records of their own it had. */
async function read(settings: Settings, args: Omit<ListArguments, "metadataPrefix"> = {}) {
  const repository = await serveStrictly(new StrictRepository(settings));
  const { baseUrl, objections } = repository;
  const gate = new InProcessGate({
    addresses: allowingHostsOf([new URL(baseUrl)]),
    userAgent: "Ingather/test",
    delays: { defaultDelayMs: 0, maxDelayMs: 0, hostDelays: {} },
    signal: new AbortController().signal,
    backoffBaseMs: 1,
  });
  onTestFinished(() => gate.close());
  const identifiers = new Set<string>();
  const titles: string[] = [];
  let ending = "";
  const wish = { values: ({ local }: { local: string }) => local === "title" };
  const target = { baseUrl, delayMs: 0, userAgent: "Ingather/test" };
  const list = startList("ListRecords", { metadataPrefix: "oai_dc", ...args });
  for await (const step of readOaiList(list, { gate, target, wish })) {
    if (step.type === "again") continue;
    for (const { identifier, values } of step.page?.records ?? []) {
      identifiers.add(identifier);
      titles.push(...values.map(({ text }) => text));
    }
    if (step.type === "end") ending = [step.completeness.type, reasonOf(step.completeness)].join(" ").trim();
  }
  return { ending: `${identifiers.size} ${ending}`, objections, titles };
}

const isSecond = ({ place }: Asked) => place === 10;
const isOnce = (asked: Asked) => isSecond(asked) && asked.nth === 1;

/** Changes the text of the replies that `when` selects. */
function rewrite(when: (asked: Asked) => boolean, change: (body: string, asked: Asked) => string): Settings {
  return {
    spoil: (reply, asked) => (when(asked) ? { ...reply, body: change(String(reply.body), asked) } : reply),
  };
}

/** Replaces the replies that `when` selects. */
function replace(when: (asked: Asked) => boolean, reply: Partial<Reply>): Settings {
  return { spoil: (right, asked) => (when(asked) ? { ...right, body: "", ...reply } : right) };
}

/** Answers by an error of the protocol. */
function fail(when: (asked: Asked) => boolean, code: string, status = 200): Settings {
  return {
    spoil: (right, asked, repository) =>
      when(asked) ? { ...right, status, body: repository.error(code) } : right,
  };
}

const always = () => true;
const tokenText = /(?<=<resumptionToken[^>/]*>)[^<]+/;
const html = {
  headers: { "content-type": "text/html" },
  body: "<!doctype html><html><p>Sorry<br>A & B</html>",
};
const foreignHeader = '<header xmlns="urn:x"><identifier>evil</identifier></header>';

it.each<[string, Settings, string | RegExp]>([
  ["as it should be", {}, "25 complete"],
  ["no last token", { hasEmptyLastToken: false }, "25 complete"],
  ["a prefix of its own", { prefix: "o" }, "25 complete"],
  [
    "the namespace of version 1.1",
    { namespace: "http://www.openarchives.org/OAI/1.1/" },
    /^0 interrupted .*OAI\/1\.1/,
  ],
  ["a token that has expired by its date", { expirationDate: "2001-01-01T00:00:00Z" }, "25 complete"],
  ["an expirationDate that is none", { expirationDate: "tomorrow" }, "25 complete"],
  ["no completeListSize", { announce: () => undefined }, "25 complete"],
  ["a completeListSize that is too large", { announce: (size) => size + 5 }, /^25 short .* 30/],
  ["a completeListSize of the page", { announce: () => 10 }, "25 complete"],
  ["a completeListSize of 0", { announce: () => 0 }, "25 complete"],
  ["a completeListSize of -1", { announce: () => -1 }, "25 complete"],
  ["a completeListSize in words", { announce: () => "many" }, "25 complete"],
  ["badResumptionToken once", fail(isOnce, "badResumptionToken"), "25 complete"],
  ["badResumptionToken forever", fail(isSecond, "badResumptionToken"), /^10 interrupted badResumptionToken/],
  ["noRecordsMatch too early", fail(isSecond, "noRecordsMatch"), /^10 short/],
  ["noRecordsMatch with 422", fail(always, "noRecordsMatch", 422), "0 complete"],
  ["noRecordsMatch with 500", fail(always, "noRecordsMatch", 500), /^0 interrupted/],
  [
    "cannotDisseminateFormat",
    fail(always, "cannotDisseminateFormat"),
    /^0 interrupted cannotDisseminateFormat/,
  ],
  ["an error of its own", fail(always, "internalError"), /^0 interrupted internalError/],
  ["HTML with 200 once", replace(isOnce, html), "25 complete"],
  ["HTML with 200 forever", replace(isSecond, html), "10 interrupted it is a web page, not OAI-PMH"],
  ["an empty body with 200", replace(isSecond, {}), /^10 interrupted .*empty/],
  ["403", replace(isSecond, { status: 403, body: "no" }), /^10 interrupted .*403/],
  ["the end is missing", rewrite(isSecond, (body) => body.slice(0, -10)), /^10 interrupted .*ends within/],
  [
    "cut off before the token",
    rewrite(isSecond, (body) => body.split("<resumptionToken")[0] ?? ""),
    /^10 interrupted/,
  ],
  ["cut off once", rewrite(isOnce, (body) => body.slice(0, body.length / 2)), "25 complete"],
  ["a bare &", rewrite(isSecond, (body) => body.replace("&amp;", "&")), "25 complete"],
  [
    "control characters",
    rewrite(isSecond, (body) => body.replace("Käthe", "\u0003\u000b\u001a\ufffe")),
    "25 complete",
  ],
  [
    "mismatched tags",
    rewrite(isSecond, (body) => body.replace("</dc:title>", "</dc:titel>")),
    /^10 interrupted .*closed by/,
  ],
  ["a notice behind the end", rewrite(isSecond, (body) => `${body}\nNotice: <b>x`), "25 complete"],
  [
    "a notice in HTML before the start",
    rewrite(isSecond, (body) => `<b>Notice</b>: x<br />\n${body}`),
    "25 complete",
  ],
  ["a byte order mark", rewrite(always, (body) => `\ufeff${body}`), "25 complete"],
  [
    "a header within the metadata",
    rewrite(always, (body) => body.replace("<dc:title>", `${foreignHeader}<dc:title>`)),
    "25 complete",
  ],
  [
    "a header within about",
    rewrite(always, (body) => body.replace("</metadata>", `</metadata><about>${foreignHeader}</about>`)),
    "25 complete",
  ],
  ["blanks around the token", rewrite(always, (body) => body.replace(tokenText, "\n  $&\n")), "25 complete"],
  [
    "the same token forever",
    rewrite(isSecond, (body, { token }) => body.replace(tokenText, token ?? "")),
    /^20 interrupted .*repeats its pages/,
  ],
  [
    "the same page forever under new tokens",
    rewrite(isSecond, (body, { count }) =>
      body.replace(
        tokenText,
        writeToken(
          new Map([
            ["metadataPrefix", "oai_dc"],
            ["until", `${3000 + count}`],
          ]),
          10,
        ),
      ),
    ),
    /^20 interrupted .*repeat the records/,
  ],
  [
    "another list than the requested one",
    rewrite(isSecond, (body) => body.replaceAll("ListRecords", "ListIdentifiers")),
    /^10 interrupted the response to ListRecords is one to ListIdentifiers/,
  ],
])("a second repository with %s", async (_, settings, ending) => {
  const { ending: found, objections } = await read(settings);
  if (typeof ending === "string") expect(found).toBe(ending);
  else expect(found).toMatch(ending);
  expect(objections).toEqual([]);
});

it("texts in ISO-8859-1 → as they were written", async () => {
  const { ending, titles } = await read({
    spoil: (reply) => ({
      ...reply,
      body: Buffer.from(String(reply.body).replace("UTF-8", "ISO-8859-1"), "latin1"),
    }),
  });
  expect(ending).toBe("25 complete");
  expect(titles[0]).toBe("Käthe & oai:strict.example:0");
});

it.each<[string, Settings, Omit<ListArguments, "metadataPrefix">, string]>([
  ["a set", {}, { set: "odd" }, "12 complete"],
  ["a set above others", {}, { set: "even" }, "13 complete"],
  ["an unknown set", {}, { set: "none" }, "0 complete"],
  ["a day", { granularity: "YYYY-MM-DD" }, { from: "2024-01-02" }, "1 complete"],
  [
    "seconds, both inclusive",
    {},
    { from: "2024-01-01T01:00:00Z", until: "2024-01-01T03:00:00Z" },
    "3 complete",
  ],
])("a second repository, asked for %s", async (_, settings, args, ending) => {
  const { ending: found, objections } = await read(settings, args);
  expect(found).toBe(ending);
  expect(objections).toEqual([]);
});

it("tokens that are percent-encoded already → sent as they are, after one refusal", async () => {
  const encoded = rewrite(always, (body) => body.replace(tokenText, (token) => encodeURIComponent(token)));
  const { ending, objections } = await read(encoded);
  expect(ending).toBe("25 complete");
  expect(objections).toHaveLength(1);
});

it("seconds to a repository of days → days, after one refusal", async () => {
  const { ending, objections } = await read({ granularity: "YYYY-MM-DD" }, { from: "2024-01-02T00:00:00Z" });
  expect(ending).toBe("1 complete");
  expect(objections).toHaveLength(1);
});
