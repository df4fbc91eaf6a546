import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { variables } from "../../shared/names.ts";
import { pathOfStore, storeFiles } from "../store-files.ts";
import { templates } from "./templates.ts";

/** By what an adapter does something to its table. */
const ways: [code: RegExp, action: string][] = [
  [/\bgetItem\b|\bGetCommand\b/, "dynamodb:GetItem"],
  [/\bgetAll\b|\bBatchGetCommand\b/, "dynamodb:BatchGetItem"],
  [/\bquery(Page|Pages|First|All)\b|\bQueryCommand\b/, "dynamodb:Query"],
  [/\bPutCommand\b|\bput(If|Item)\b/, "dynamodb:PutItem"],
  [/\bUpdateCommand\b|\bupdate(Item|d?If)\b/, "dynamodb:UpdateItem"],
  [/\bDeleteCommand\b|\bdelete(If|Item)\b/, "dynamodb:DeleteItem"],
  [/\binsertAll\b/, "dynamodb:PartiQLInsert"],
  [/\bupdateAll\b/, "dynamodb:PartiQLUpdate"],
];

/** `<adapter's file>` → `<variable of its table> <action>`, all that it ever does. */
const done = new Map<string, string[]>();
for (const file of storeFiles) {
  const code = readFileSync(pathOfStore(file), "utf8");
  const tables = [...code.matchAll(/variable\("(\w+Table)"\)/g)].map(
    ([, name]) => name as keyof typeof variables,
  );
  const actions = ways.filter(([way]) => way.test(code)).map(([, action]) => action);
  done.set(
    `shared/${file}.ts`,
    tables.flatMap((table) => actions.map((action) => `${variables[table]} ${action}`)),
  );
}

/** What a role permits on tables, as `<variable of the table> <action>`, by the name of the function's file. */
const granted = new Map<string, string[]>();
/** The adapters in a function's bundle. */
const bundled = new Map<string, string[]>();

beforeAll(async () => {
  const { resources, bundles } = await templates();
  const policies = resources.filter(([, { Type }]) => /^AWS::IAM::(Managed)?Policy$/.test(Type));
  for (const [, { Type, Properties }] of resources) {
    if (Type !== "AWS::Lambda::Function") continue;
    const name = Properties.FunctionName.replace("ingather-", "");
    const variableOf = new Map(
      Object.entries(Properties.Environment.Variables).map(([variable, value]) => [tableIn(value), variable]),
    );
    const role = Properties.Role["Fn::GetAtt"][0];
    const statements = policies
      .filter(([, { Properties: policy }]) => policy.Roles.some(({ Ref }: { Ref: string }) => Ref === role))
      .flatMap(([, { Properties: policy }]) => policy.PolicyDocument.Statement);
    granted.set(
      name,
      statements.flatMap(({ Action, Resource }) =>
        [Resource].flat().flatMap((resource) => {
          const table = tableIn(resource);
          if (table === undefined) return [];
          return [Action].flat().map((action: string) => `${variableOf.get(table)} ${action}`);
        }),
      ),
    );
    const sources = sourcesOf(name, bundles);
    bundled.set(
      name,
      [...done.keys()].filter((file) => sources.some((source) => source.endsWith(`/${file}`))),
    );
  }
});

/** What a function's bundle is made of: its file, and those that it loads, now or later. */
function sourcesOf(name: string, bundles: string): string[] {
  const files = new Set([`${name}.mjs`]);
  for (const file of files) {
    const code = readFileSync(join(bundles, file), "utf8");
    for (const [, imported = ""] of code.matchAll(/\b(?:from|import) ?\(?"\.\/([\w.-]+\.mjs)"/g))
      files.add(imported);
  }
  return [...files].flatMap((file) => JSON.parse(readFileSync(join(bundles, `${file}.map`), "utf8")).sources);
}

/** The logical id of the table that a value refers to, in its stack or another's. */
function tableIn(value: unknown): string | undefined {
  return /[A-Za-z]+Table[0-9A-F]{8}/
    .exec(JSON.stringify(value))?.[0]
    .replace(/^PublishOutput(Ref|FnGetAtt)/, "");
}

describe("roles", () => {
  it("permit nothing on a table that no adapter in the function does to it", () => {
    expect(granted.size).toBeGreaterThan(15);
    const idle = [...granted].flatMap(([name, permissions]) => {
      const used = new Set((bundled.get(name) ?? []).flatMap((file) => done.get(file) ?? []));
      return permissions
        .filter((permission) => !used.has(permission))
        .map((permission) => `${name}: ${permission}`);
    });
    expect(idle).toEqual([]);
  });
});
