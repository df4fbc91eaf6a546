import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadAssembly } from "../../local/assembly.ts";
import { createResolver, type Resolver } from "../../local/cloud/cloudformation/resolver.ts";
import { readStacks } from "../../local/cloud/cloudformation/template.ts";
import { root } from "./templates.ts";

interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
  Outputs?: Record<string, { Export?: unknown }>;
  Parameters?: object;
}

let templates: Map<string, { text: string; template: Template }>;
let resolver: Resolver;

beforeAll(async () => {
  const { outdir } = await loadAssembly(join(root, ".ingather/build"));
  const ending = ".template.json";
  templates = new Map(
    readdirSync(outdir)
      .filter((file) => file.endsWith(ending))
      .map((file) => {
        const text = readFileSync(join(outdir, file), "utf8");
        return [file.slice(0, -ending.length), { text, template: JSON.parse(text) }];
      }),
  );
  // A region with a long name.
  const location = {
    region: "ap-southeast-1",
    account: "123456789012",
    gatewayUrl: "",
    apiUrl: "https://api",
  };
  const required = { AllowedPrivateHosts: "" };
  resolver = createResolver(readStacks(outdir), { location, parameters: required });
});

interface PolicyDocument {
  Statement: { Action: string | string[] }[];
}

/** As IAM counts: without white space. */
const charsOf = (document: unknown) => JSON.stringify(document).replaceAll(/\s/g, "").length;

/** The policies of a type, with the names of their roles. */
const policiesOf = (type: string) =>
  resolver.resourcesOfType<{ PolicyDocument: PolicyDocument; Roles?: string[] }>(type);

describe("the limits of AWS", () => {
  it("a role's inline policies → together at most 10,240 characters", () => {
    const byRole = new Map<string, number>();
    for (const { properties } of policiesOf("AWS::IAM::Policy")) {
      for (const role of properties.Roles ?? []) {
        byRole.set(role, (byRole.get(role) ?? 0) + charsOf(properties.PolicyDocument));
      }
    }
    expect(byRole.size).toBeGreaterThan(40);
    expect([...byRole].filter(([, chars]) => chars > 10_240)).toEqual([]);
  });

  it("a managed policy → at most 6,144 characters", () => {
    const large = policiesOf("AWS::IAM::ManagedPolicy").filter(
      ({ properties }) => charsOf(properties.PolicyDocument) > 6144,
    );
    expect(large.map(({ logicalId }) => logicalId)).toEqual([]);
  });

  it("the resource policy of a function → at most 20 KB", () => {
    const byFunction = new Map<string, number>();
    const permissions = resolver.resourcesOfType<Record<string, string>>("AWS::Lambda::Permission");
    expect(permissions.length).toBeGreaterThan(3);
    for (const { logicalId, properties } of permissions) {
      const { FunctionName = "", Action, Principal, SourceArn, SourceAccount } = properties;
      // What Lambda makes of a permission; the id of its statement has the stack's name, the logical id and 12 characters.
      const statement = {
        Sid: `a-name-of-a-stack-${logicalId}-ABCDEFGHIJKL`,
        Effect: "Allow",
        Principal: { Service: Principal },
        Action,
        Resource: `arn:aws:lambda:ap-southeast-1:123456789012:function:${FunctionName.split(":").at(-1)}`,
        Condition: {
          ...(SourceAccount !== undefined && { StringEquals: { "AWS:SourceAccount": SourceAccount } }),
          ...(SourceArn !== undefined && { ArnLike: { "AWS:SourceArn": SourceArn } }),
        },
      };
      byFunction.set(FunctionName, (byFunction.get(FunctionName) ?? 100) + JSON.stringify(statement).length);
    }
    expect([...byFunction].filter(([, bytes]) => bytes > 20_480)).toEqual([]);
  });

  it("a stack → at most 500 resources, 200 outputs, 200 parameters and 1 MB", () => {
    expect(templates.size).toBeGreaterThan(8);
    for (const [stack, { text, template }] of templates) {
      expect(Object.keys(template.Resources).length, stack).toBeLessThanOrEqual(500);
      expect(Object.keys(template.Outputs ?? {}).length, stack).toBeLessThanOrEqual(200);
      expect(Object.keys(template.Parameters ?? {}).length, stack).toBeLessThanOrEqual(200);
      expect(text.length, stack).toBeLessThan(1_000_000);
    }
  });

  it("names of functions, queues, schedules and logs → within what each service takes", () => {
    const patterns: Record<string, RegExp> = {
      "AWS::Lambda::Function": /^[\w-]{1,64}$/,
      "AWS::SQS::Queue": /^(?=.{1,80}$)[\w-]+(\.fifo)?$/,
      "AWS::Scheduler::Schedule": /^[\w.-]{1,64}$/,
      "AWS::DynamoDB::GlobalTable": /^[\w.-]{3,255}$/,
      "AWS::S3::Bucket": /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      "AWS::Logs::LogGroup": /^[\w./#-]{1,512}$/,
    };
    for (const [type, pattern] of Object.entries(patterns)) {
      const names = resolver.resourcesOfType(type).map(({ name }) => name);
      expect(names.length, type).toBeGreaterThan(0);
      expect(names.filter((name) => !pattern.test(name))).toEqual([]);
    }
    const logs = resolver.resourcesOfType("AWS::Logs::LogGroup").map(({ name }) => name);
    const functions = resolver.resourcesOfType("AWS::Lambda::Function").map(({ name }) => name);
    expect(functions.filter((name) => !logs.includes(`/aws/lambda/${name}`))).toEqual([]);
  });
});

describe("a deployment over an earlier one", () => {
  it("no stack exports → none waits for another when it changes", () => {
    for (const [stack, { text, template }] of templates) {
      const exported = Object.entries(template.Outputs ?? {}).filter(
        ([, { Export }]) => Export !== undefined,
      );
      expect(exported, stack).toEqual([]);
      expect(text.includes("Fn::ImportValue"), stack).toBe(false);
    }
  });

  it("each table, bucket and user pool has the logical id that it had: another one would make it again", async () => {
    const stateful = ["AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket", "AWS::Cognito::UserPool"];
    const found = stateful.flatMap((type) =>
      resolver.resourcesOfType(type).map(({ stack, logicalId, name }) => `${stack} ${logicalId} ${name}`),
    );
    const pinned = found.map((line) => line.replace("-123456789012-ap-southeast-1", "")).sort();
    // A new one: npx vitest run test/infra/limits.test.ts -u
    await expect(`${pinned.join("\n")}\n`).toMatchFileSnapshot("stateful-resources.txt");
  });
});
