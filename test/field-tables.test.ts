import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { generatedPages } from "../local/docs/pages.ts";
import { openApiDocument } from "../shared/api/open-api.ts";
import { referencePage } from "../shared/api/reference-page.ts";
import type { Page } from "../shared/console/page.ts";
import { languages } from "../shared/console/texts/languages.ts";
import { compileRule, linkRule } from "../shared/links/rule/rule.ts";
import { collection } from "../shared/links/status/collection.ts";
import { pages } from "../shared/operations/pages/pages.ts";
import { subjects } from "../shared/operations/routes/routes.ts";
import { keepOperatorSettings } from "../shared/records/sources/conf/operator-settings.ts";
import { applySourceChange } from "../shared/records/sources/source-change.ts";
import { runCommand } from "./local/cli/commands/run-command.ts";
import { bodyOf, consoleRequest } from "./shared/console/console-request.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/**
 * Adds a field to each table. Everything that is derived from a table must have the field, without any other
 * change.
 */
const addField = vi.hoisted(() => async (load: () => Promise<object>, table: string) => {
  const [tables, z] = [(await load()) as Record<string, object>, await import("zod")];
  const madeUp = {
    schema: z.string().optional().describe("Made up by a test"),
    label: { en: "Made up", de: "Erfunden" },
    hint: { en: "By a test", de: "Von einem Test" },
    isInDigest: true,
    isOperators: true,
    example: "made-up example",
    option: { name: "made-up", help: "made up by a test" },
  };
  return { ...tables, [table]: { ...tables[table], madeUp } };
});
vi.mock(import("../shared/links/rule/rule-fields.ts"), (load) => addField(load, "linkRuleFields"));
vi.mock(import("../shared/links/status/collection-fields.ts"), (load) => addField(load, "collectionFields"));
vi.mock(import("../shared/snapshots/definitions/definition-fields.ts"), (load) =>
  addField(load, "definitionFields"),
);
vi.mock(import("../shared/snapshots/definitions/limit-fields.ts"), (load) => addField(load, "limitFields"));
vi.mock(import("../shared/records/sources/source-fields.ts"), (load) => addField(load, "sourceFields"));
vi.mock(import("../shared/records/sources/group-delivery-fields.ts"), (load) =>
  addField(load, "groupDeliveryFields"),
);
vi.mock(import("../shared/deliver/validation/rule-fields.ts"), (load) =>
  addField(load, "validationRuleFields"),
);

/** A table, and the places in which its new field must appear. */
interface Thing {
  /** The name of the field in forms. */
  field: string;
  /** The route of the API that accepts the body, and a valid body with the field. */
  route: string;
  body: object;
  /** The command whose help describes the fields. */
  command?: string;
  form: ThingForm;
}

/** The form for the fields: its page, the data that it sends, the route, and the result. */
interface ThingForm {
  page: string;
  to: string;
  params: Record<string, string>;
  fields: Record<string, string>;
  sends: string;
  /** Set if the form adds a new item, so that nothing is stored yet. */
  isNew?: true;
  /** Set if the form sends only changes. */
  isChange?: true;
  /** The responses of the API to the pages, in which the item has the value. */
  answers: (value: string) => Record<string, unknown>;
}

const share = { from: "2026-11-01", to: "2026-11-14", judged: 0, dead: 0, low: 0, high: 1 };
const papers = {
  collectionId: "papers",
  title: "Papers",
  rule: { active: true },
  hold: false,
  status: "active",
};
const ofCollection = (stored: object) => ({
  "GET /collections/papers": stored,
  "PUT /collections/papers": stored,
  "GET /collections/papers/estimate": { now: share, before: share, trend: "unclear" },
  "GET /collections/papers/statistics": { days: [] },
});
const collectionForm = {
  page: "/console/collections/{id}",
  to: "/console/collections/{id}/rule",
  params: { id: "papers" },
  fields: { title: "Papers" },
  sends: "PUT /collections/papers",
};

const titleRule = {
  source: null,
  recordType: "regular",
  tag: "245",
  subfield: "a",
  presence: "always",
  regex: null,
};
const titleRuleForm = { source: "", recordType: "regular", tag: "245", subfield: "a" };

const snapshotForm: ThingForm = {
  page: "/console/snapshots/new",
  to: "/console/snapshots/new",
  params: {},
  fields: { title: "Autumn", type: "selective", seeds: "a.example" },
  sends: "POST /snapshots",
  isNew: true,
  answers: () => ({
    "GET /snapshots": { definitions: [] },
    "POST /snapshots": { id: "d", title: "Autumn" },
  }),
};

const things: [string, Thing][] = [
  [
    "a link rule",
    {
      field: "rule.madeUp",
      route: "PUT /collections/{id}",
      body: { title: "Papers", rule: { madeUp: "sent" } },
      command: "check-links",
      form: {
        ...collectionForm,
        answers: (madeUp) => ofCollection({ ...papers, rule: { active: true, madeUp } }),
      },
    },
  ],
  [
    "a link rule that is tried",
    {
      field: "rule.madeUp",
      route: "POST /rules/test",
      body: { url: "https://a.example/", rule: { madeUp: "sent" } },
      form: {
        ...collectionForm,
        to: "/console/collections/{id}/test",
        fields: { url: "https://a.example/" },
        sends: "POST /rules/test",
        answers: (madeUp) => ({
          ...ofCollection({ ...papers, rule: { active: true, madeUp } }),
          "POST /rules/test": { testId: "t" },
        }),
      },
    },
  ],
  [
    "a collection",
    {
      field: "madeUp",
      route: "PUT /collections/{id}",
      body: { title: "Papers", madeUp: "sent" },
      form: { ...collectionForm, answers: (madeUp) => ofCollection({ ...papers, madeUp }) },
    },
  ],
  [
    "a validation rule",
    {
      field: "madeUp",
      route: "PUT /validation-rules",
      body: { ...titleRule, madeUp: "sent" },
      command: "validate",
      form: {
        page: "/console/rules/edit?tag=245&subfield=a",
        to: "/console/rules/edit",
        params: {},
        fields: { ...titleRuleForm, act: "save" },
        sends: "PUT /validation-rules",
        answers: (madeUp) => ({
          "GET /validation-rules": { rules: [{ ...titleRule, madeUp, etag: '"1"' }] },
          "PUT /validation-rules": { ...titleRule, madeUp, etag: '"2"' },
        }),
      },
    },
  ],
  [
    "a harvest definition",
    {
      field: "madeUp",
      route: "POST /snapshots",
      body: { title: "Autumn", type: "selective", madeUp: "sent" },
      form: snapshotForm,
    },
  ],
  [
    "the limits of a harvest",
    {
      field: "limits.madeUp",
      route: "POST /snapshots",
      body: { title: "Autumn", type: "selective", limits: { madeUp: "sent" } },
      form: snapshotForm,
    },
  ],
  [
    "a source",
    {
      field: "madeUp",
      route: "PATCH /sources/{id}",
      body: { madeUp: "sent" },
      form: {
        page: "/console/sources/{id}",
        to: "/console/sources/{id}",
        params: { id: "a" },
        fields: { deliveryMode: "LIVE" },
        sends: "PATCH /sources/a",
        isChange: true,
        answers: (madeUp) => {
          const stored = {
            sourceId: "a",
            title: "A",
            type: "RSS",
            url: "https://a.example/",
            deliveryMode: "LIVE",
          };
          return {
            "GET /sources/a": { ...stored, madeUp },
            "PATCH /sources/a": { ...stored, madeUp },
            "GET /sources/a/runs": { runs: [] },
            "GET /runs": { runs: [] },
          };
        },
      },
    },
  ],
];

/** No page sets the delivery of a group. */
const groupDelivery: [string, Omit<Thing, "form">] = [
  "the delivery of a group",
  {
    field: "madeUp",
    route: "PUT /groups/{id}/delivery",
    body: { madeUp: "sent" },
  },
];

const atPath = (value: unknown, path: string): unknown =>
  path.split(".").reduce((at: unknown, name) => (at as Record<string, unknown> | undefined)?.[name], value);

function pageAt(method: Page["method"], path: string): Page {
  const page = pages.find((each) => each.method === method && each.path === path);
  if (page === undefined) throw new Error(`there is no page ${method} ${path}`);
  return page;
}

describe.each([...things, groupDelivery])("a field that is added to the table of %s", (_name, thing) => {
  const [method = "", path = ""] = thing.route.split(" ");
  const routes = subjects.flatMap(
    (subject): Parameters<typeof openApiDocument>[0][number]["routes"] => subject.routes,
  );
  const route = routes.find((each) => each.method === method && each.path === path);

  it("is taken by the API, with its limits", () => {
    const schema = route?.bodyDocs ?? route?.body;
    expect(atPath(schema?.parse(thing.body), thing.field)).toBe("sent");
    const wrong = JSON.parse(JSON.stringify(thing.body).replace('"sent"', "[]"));
    expect(schema?.safeParse(wrong).error?.issues[0]?.path.join(".")).toBe(thing.field);
  });

  it("is in the OpenAPI document, and on the reference page", async () => {
    const document = openApiDocument(subjects);
    const operation = document.paths[path]?.[method.toLowerCase()] as { requestBody: object };
    const named = JSON.stringify(operation.requestBody).match(/#\/components\/schemas\/\w+/g) ?? [];
    const schemas = named.map((name) => document.components.schemas[name.split("/").at(-1) ?? ""]);
    expect(JSON.stringify([operation.requestBody, schemas])).toContain("Made up by a test");
    const shown = await referencePage({ ...document, paths: { [path]: document.paths[path] ?? {} } });
    expect(shown).toContain("madeUp");
    expect(shown).toContain("Made up by a test");
  });
});

describe.each(things)("the form of %s, with a field that was added", (_name, { field, form }) => {
  /** Returns what the API receives when a form with these fields is sent. */
  const sentBy = async (fields: Record<string, string>) => {
    const { params, answers } = form;
    const request = consoleRequest("/", { answers: answers("stored"), params, form: fields });
    await pageAt("POST", form.to).answer(request);
    const call = request.calls.find((each) => `${each.method} ${each.path.split("?")[0]}` === form.sends);
    expect(call, `${form.sends} was called`).toBeDefined();
    return call?.body;
  };

  it.each(["en", "de"] as const)("has it, with label, hint and stored value (%s)", async (language) => {
    const { page, params, answers, isNew } = form;
    const request = consoleRequest(page, { answers: answers("<stored>"), params });
    const shown = await pageAt("GET", page.split("?")[0] ?? "").answer({
      ...request,
      language,
      texts: languages[language],
    });
    const body = await bodyOf(shown);
    const value = isNew ? "" : "&lt;stored&gt;";
    expect(body).toMatch(new RegExp(`<input [^>]*name="${field}"[^>]* value="${value}">`));
    expect(body).toContain(`>${{ en: "Made up", de: "Erfunden" }[language]}</label>`);
    expect(body).toContain(`>${{ en: "By a test", de: "Von einem Test" }[language]}</span>`);
  });

  it("sends what was typed; emptied, it sends none; a form without the field keeps what is stored", async () => {
    expect(atPath(await sentBy({ ...form.fields, [field]: " typed " }), field)).toBe("typed");
    expect(atPath(await sentBy({ ...form.fields, [field]: "" }), field) ?? undefined).toBeUndefined();
    const kept = form.isNew || form.isChange ? undefined : "stored";
    expect(atPath(await sentBy(form.fields), field)).toBe(kept);
  });
});

it.each(things.filter(([, { command }]) => command !== undefined))(
  "a field that is added to the table of %s → is in the help of its command",
  async (_name, { command = "" }) => {
    expect((await runCommand([command, "--help"])).stdout).toContain('"madeUp":"made-up example"');
  },
);

describe("a field that is added to a link rule", () => {
  const folder = temporaryFolder();
  const run = async (madeUp: string) => {
    const [rules, cache] = [join(folder, "rule.json"), join(folder, "cache.json")];
    writeFileSync(rules, JSON.stringify({ madeUp }));
    // No request is sent to a private host.
    const args = ["--rules", rules, "--cache", cache, "http://127.0.0.1:9/"];
    const { stderr } = await runCommand(["check-links", ...args]);
    expect(stderr).not.toContain("madeUp");
    return JSON.parse(readFileSync(cache, "utf8")).ruleDigest;
  };

  it("goes to threads with the rule", () => {
    const rule = linkRule.parse({ madeUp: "of the rule" });
    expect(structuredClone(compileRule(rule).rule)).toMatchObject({ madeUp: "of the rule" });
  });

  it("is in the key of the cache of check-links, which reads it from a file", async () => {
    expect(await run("one")).not.toBe(await run("two"));
  });

  it("is stored with the collection", () => {
    const stored = { collectionId: "papers", title: "Papers", rule: { madeUp: "of the rule" } };
    expect(collection.parse(stored)).toMatchObject(stored);
  });
});

describe.each(["source", "group"] as const)("an operator field that is added to a %s", (kind) => {
  it("is in the document of the configuration", () => {
    const [source = "", group = ""] = (generatedPages["docs/configuration.md"]?.() ?? "").split(
      "\nFields of a group: ",
    );
    expect({ source, group }[kind]).toContain("| `madeUp` | Made up by a test |");
  });

  it("is kept by an import", () => {
    const item = { kind, id: "a", value: {} };
    expect(keepOperatorSettings(item, { ...item, value: { madeUp: "stored" } })).toEqual({
      madeUp: "stored",
    });
  });
});

it("an operator field that is added to a source → a change sets it, and lists show it", () => {
  const stored = { sourceId: "a", title: "A", type: "RSS", url: "https://a.example/", groupId: "g" };
  const change = { now: new Date("2026-11-22"), isAdded: false };
  expect(applySourceChange(stored, { madeUp: "set" }, change)).toMatchObject({ madeUp: "set" });
  const list = JSON.stringify(openApiDocument(subjects).paths["/sources"]?.get);
  expect(list).toContain('"madeUp":{"description":"Made up by a test"');
});

it("a limit of a harvest that is added → its option is in the help of capture", async () => {
  const { stdout } = await runCommand(["capture", "--help"]);
  expect(stdout).toContain("  --made-up N        made up by a test");
});
