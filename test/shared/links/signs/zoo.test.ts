import { expect, it } from "vitest";
import { findSign } from "../../../../shared/links/signs/find-sign.ts";
import { signs } from "../../../../shared/links/signs/signs.ts";
import { type Animal, gone, living, unseen, walls } from "./zoo.ts";

const zoo = [...walls, ...gone, ...living];
const found = new Map(zoo.map((animal) => [animal, findSign(animal.response)]));

const percent = (part: number, of: number) => (of === 0 ? "–" : `${((100 * part) / of).toFixed(1)} %`);

function describeZoo(): string {
  const rows = signs.map(({ id, name, finding }) => {
    const hits = zoo.filter((animal) => found.get(animal)?.id === id);
    const right = hits.filter(({ truth }) => truth === finding).length;
    return `| \`${id}\` | ${name} | ${finding} | ${hits.length} | ${percent(right, hits.length)} |`;
  });
  const kinds = Map.groupBy([...walls, ...gone], ({ made, truth }) => `${truth} | ${made}`);
  const recalls = [...kinds].map(([kind, animals]) => {
    const right = animals.filter((animal) => found.get(animal)?.finding === animal.truth).length;
    return `| ${kind} | ${animals.length} | ${percent(right, animals.length)} |`;
  });
  const isRight = (animal: Animal) => findSign(animal.response)?.finding === animal.truth;
  return `# Signs of pages that are not the page

A response with status 200 may be a wall in front of the page, or say that the page is gone. [Checking links](links.md#signs)
explains what follows from a sign. The signs are in \`shared/links/signs/signs.ts\`. \`test/shared/links/signs/zoo.test.ts\`
writes this document from ${zoo.length} responses of known truth: ${walls.length} walls, ${gone.length} pages that are gone, and ${living.length} living pages. They were
written for this purpose, so the figures are upper bounds. Of ${unseen.length} responses that were written without a look at the
signs, ${percent(unseen.filter(isRight).length, unseen.length)} were recognised. No living page has a sign.

## Precision of each sign

| sign | what it shows | finding | responses | precision |
|---|---|---|---|---|
${rows.join("\n")}

## Recall by kind of response

| finding | made for | responses | recall |
|---|---|---|---|
${recalls.join("\n")}
`;
}

it("the zoo has at least 400 walls and gone pages, and 1,000 living ones", () => {
  expect(walls.length + gone.length).toBeGreaterThanOrEqual(400);
  expect(living.length).toBeGreaterThanOrEqual(1000);
});

it("living pages → no sign", () => {
  const wrong = living.filter((animal) => found.get(animal) !== undefined);
  expect(wrong.map((animal) => `${animal.made}: ${found.get(animal)?.id} ${titleOf(animal)}`)).toEqual([]);
});

it("walls and pages that are gone → recall of at least 0.95, each sign with a precision of at least 0.98", () => {
  for (const animals of [walls, gone]) {
    const missed = animals.filter((animal) => found.get(animal)?.finding !== animal.truth);
    expect(missed.length / animals.length, missed.map(titleOf).join("\n")).toBeLessThanOrEqual(0.05);
  }
  for (const { id, finding } of signs) {
    const hits = zoo.filter((animal) => found.get(animal)?.id === id);
    const right = hits.filter(({ truth }) => truth === finding);
    if (hits.length > 0) expect(right.length / hits.length, id).toBeGreaterThanOrEqual(0.98);
  }
});

it("responses that the signs were not made for → recall of at least 0.8", () => {
  const missed = unseen.filter(({ response, truth }) => findSign(response)?.finding !== truth);
  expect(missed.length / unseen.length, missed.map(titleOf).join("\n")).toBeLessThanOrEqual(0.2);
});

it("each sign → its figures in the documents", async () => {
  await expect(describeZoo()).toMatchFileSnapshot("../../../../docs/link-signs.md");
});

it("hostile markup → a sign is looked for in less than the time of a slow page", () => {
  for (const piece of [
    "<meta http-equiv=refresh ",
    "<!--",
    "<title>",
    "<h1",
    "<script",
    "<form ",
    "<meta name",
    "&#1",
    "404 ",
  ]) {
    const body = Buffer.from(piece.repeat(16_384 / piece.length));
    findSign({
      hops: [{ url: "https://a.example/1", status: 200 }],
      headers: { "content-type": "text/html" },
      body,
    });
  }
});

function titleOf({ made, response }: Animal): string {
  return `${made}: ${/<title>(.*?)<\/title>.{0,200}/s.exec(Buffer.from(response.body).toString())?.[0]}`;
}

it.each([
  ["a heading in a comment", "<!-- <h1>Page not found</h1> --><h1>On bees</h1>"],
  ["a heading in a template", "<template><h1>Page not found</h1></template><h1>On bees</h1>"],
  ["a heading in a script", "<script>const missing = '<h1>Page not found</h1>';</script><h1>On bees</h1>"],
  [
    "the metadata of a work, and a login beside it",
    '<meta name="citation_title" content="On bees"><form action="/login"><input name="user"><input name="pass"></form><input name="j_username">',
  ],
])("a living page with %s → no sign", (_what, body) => {
  const response = {
    hops: [{ url: "https://j.example/articles/1", status: 200 }],
    headers: { "content-type": "text/html" },
    body: new TextEncoder().encode(`<!DOCTYPE html><html><body>${body}</body></html>`),
  };
  expect(findSign(response)).toBeUndefined();
});
