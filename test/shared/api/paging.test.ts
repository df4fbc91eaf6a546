import { expect, it } from "vitest";
import { toJsonSchema } from "../../../shared/api/open-api.ts";
import { pageByKey, pageByPosition } from "../../../shared/api/paging.ts";
import { routes } from "../../../shared/operations/routes/routes.ts";

const letters = ["c", "a", "e", "b", "d"];

it.each([1, 2, 3, 4, 5, 6])("pages of %i → each entry once, by key; no `next` on the last", (limit) => {
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const { page, next } = pageByKey(letters, { limit, after }, (letter) => letter);
    expect(page.length).toBeGreaterThan(0);
    seen.push(...page);
    after = next;
  } while (after !== undefined);
  expect(seen).toEqual(letters.toSorted());
});

it("an entry that goes between two pages → the others are still listed once", () => {
  const { next } = pageByKey(letters, { limit: 2 }, (letter) => letter);
  const left = letters.filter((letter) => letter !== "b");
  expect(pageByKey(left, { limit: 9, after: next }, (letter) => letter).page).toEqual(["c", "d", "e"]);
});

it("pages by position → in the given order", () => {
  expect(pageByPosition(letters, { limit: 2 })).toEqual({ page: ["c", "a"], next: "2" });
  expect(pageByPosition(letters, { limit: 2, after: 4 })).toEqual({ page: ["d"] });
  expect(pageByPosition(letters, { limit: 2, after: 9 })).toEqual({ page: [] });
});

const lists = routes.flatMap((route) => {
  const body = route.method === "GET" ? route.answers[200]?.body : undefined;
  const { properties = {} } = (body ? toJsonSchema(body, "output") : {}) as {
    properties?: Record<string, { type?: string }>;
  };
  const [subject = ""] = route.path.split("/").slice(-1);
  const isList = Object.entries(properties).some(
    ([name, { type }]) => type === "array" && (subject === name || subject.endsWith(`-${name}`)),
  );
  return isList ? [{ ...route, properties }] : [];
});

it("there are lists", () => {
  expect(lists.length).toBeGreaterThan(10);
});

it.each(lists)("$method $path, a list → has `limit`, `after` and `next`", ({ query, properties }) => {
  expect(properties).toHaveProperty("next");
  const parameters = query === "ignored" || query === undefined ? {} : query.shape;
  expect(Object.keys(parameters)).toEqual(expect.arrayContaining(["limit", "after"]));
});

it.each(routes.filter(({ answers }) => answers[202] !== undefined))(
  "$method $path, 202 → says its status and where the result will be",
  ({ answers, servedBy }) => {
    const { body, headers = {} } = answers[202] ?? {};
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(["location", "retry-after"]));
    if (servedBy === "check-set") return;
    expect(toJsonSchema(body as never, "output").required).toEqual(
      expect.arrayContaining(["status", "result"]),
    );
  },
);
