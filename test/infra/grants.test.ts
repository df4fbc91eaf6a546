import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { variables } from "../../shared/names.ts";
import { pathOfStore, storeFiles } from "../store-files.ts";
import { templates } from "./templates.ts";

/** By which method of a table, or by which other call, a store does something to its table. */
const ways: [method: RegExp, call: RegExp, action: string][] = [
  [/^get$/, /\bGetCommand\b/, "dynamodb:GetItem"],
  [/^getMany$/, /\bBatchGetCommand\b/, "dynamodb:BatchGetItem"],
  [/^query$/, /\bQueryCommand\b/, "dynamodb:Query"],
  [/^put(Item|If|New)$/, /\bPutCommand\b/, "dynamodb:PutItem"],
  [/^update(Item|If|dIf|IfReading)$/, /\bUpdateCommand\b/, "dynamodb:UpdateItem"],
  [/^delete(Item|If)$/, /\bDeleteCommand\b/, "dynamodb:DeleteItem"],
  [/^never$/, /\b(insertAll|combinedInserts)\(/, "dynamodb:PartiQLInsert"],
  [/^never$/, /\b(updateAll|combinedUpdates)\(/, "dynamodb:PartiQLUpdate"],
];

/** A store's file, from `shared/` → `<variable of its table> <action>`, all that it ever does. */
const done = new Map<string, string[]>();
for (const file of storeFiles) {
  const code = readFileSync(pathOfStore(file), "utf8");
  const tables = [...code.matchAll(/\bvariable(?:\(|: | = )"(\w+Table)"/g)].map(
    ([, name]) => name as keyof typeof variables,
  );
  // What `table` returns, or a function of the file that opens one.
  const opened = [...code.matchAll(/const (\w+) = (?:table|open\w+)[<(]/g)].map(([, name]) => name);
  const method = new RegExp(`\\b(?:${["open\\w+\\(\\)", ...opened].join("|")})\\s*\\.(\\w+)`, "g");
  const methods = [...code.matchAll(method)].map(([, name = ""]) => name);
  const actions = ways
    .filter(([way, call]) => call.test(code) || methods.some((name) => way.test(name)))
    .map(([, , action]) => action);
  done.set(
    file,
    tables.flatMap((table) => actions.map((action) => `${variables[table]} ${action}`)),
  );
}

/** What a role permits on tables, as `<variable of the table> <action>`, by the name of the function's file. */
const granted = new Map<string, string[]>();
/** The stores in a function's bundle. */
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
    bundled.set(
      name,
      sourcesOf(name, bundles).flatMap((source) => /\bshared\/(.+)\.ts$/.exec(source)?.[1] ?? []),
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
  it("permit nothing on a table that no store in the function does to it", () => {
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
