import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  findLoops,
  type InvocationGraph,
  invocationGraph,
  recursionProblems,
} from "../../infra/invocation-graph.ts";
import type { Template } from "../../infra/template-resources.ts";
import { loadAssembly } from "../../local/assembly.ts";
import { createResolver } from "../../local/cloud/cloudformation/resolver.ts";
import { readStacks } from "../../local/cloud/cloudformation/template.ts";
import { evaluate } from "../../local/cloud/iam/policy.ts";
import { readRoles } from "../../local/cloud/iam/roles.ts";
import { root, stackTemplates } from "./templates.ts";

/** The functions in loops, the plain way: whom each may send to by the policies as IAM evaluates them, closed over. */
async function functionsInLoops(): Promise<string[]> {
  const { outdir } = await loadAssembly(join(root, ".ingather/build"));
  const location = { region: "eu-central-1", account: "000000000000", gatewayUrl: "", apiUrl: "" };
  const resolver = createResolver(readStacks(outdir), { location, parameters: {} });
  const roles = readRoles(resolver);
  const functions = resolver.resourcesOfType<{ Role: string }>("AWS::Lambda::Function");
  const mappings = resolver.resourcesOfType<{ EventSourceArn: string; FunctionName: string }>(
    "AWS::Lambda::EventSourceMapping",
  );
  const reached = new Map(
    functions.map(({ name, properties }) => {
      const statements = roles.get(properties.Role)?.statements ?? [];
      const maySend = (resource: string) =>
        evaluate(statements, { action: "sqs:SendMessage", resource, context: {} }) === "allow";
      const read = mappings.filter((each) => maySend(each.properties.EventSourceArn));
      return [name, new Set(read.map((each) => each.properties.FunctionName.split(":").at(-1) ?? ""))];
    }),
  );
  for (const over of reached.keys()) {
    for (const targets of reached.values()) {
      if (targets.has(over)) for (const further of reached.get(over) ?? []) targets.add(further);
    }
  }
  return [...reached].filter(([name, targets]) => targets.has(name)).map(([name]) => name);
}

let templates: Record<string, Template>;
let looped: string[];
beforeAll(async () => {
  looped = await functionsInLoops();
});
beforeEach(async () => {
  templates = await stackTemplates();
});

// biome-ignore lint/suspicious/noExplicitAny: a template is what the tests are about
type Changeable = { Type: string; Properties: Record<string, any>; Metadata: Record<string, unknown> };

/** All resources of a type, as a test may change them. */
function ofType(type: string): { stack: string; id: string; resource: Changeable }[] {
  return Object.entries(templates).flatMap(([stack, { Resources = {} }]) =>
    Object.entries(Resources as Record<string, Changeable>)
      .filter(([, { Type }]) => Type === type)
      .map(([id, resource]) => ({ stack, id, resource })),
  );
}

function functionNamed(name: string): Changeable {
  const found = ofType("AWS::Lambda::Function").find(
    ({ resource }) => resource.Properties.FunctionName === name,
  );
  if (found === undefined) throw new Error(`there is no function ${name}`);
  return found.resource;
}

describe("the functions that can cause their own invocation", () => {
  it("are found: as many as by the policies, evaluated and closed over", () => {
    expect([...findLoops(invocationGraph(templates)).keys()].sort()).toEqual(looped.toSorted());
    expect(looped.length).toBeGreaterThan(12);
  });

  it("have each decided whether Lambda may end the loop, with a reason; no other has", () => {
    expect(recursionProblems(templates)).toEqual([]);
    const decided = ofType("AWS::Lambda::Function").filter(
      ({ resource }) => resource.Properties.RecursiveLoop !== undefined,
    );
    expect(decided.map(({ resource }) => resource.Properties.FunctionName).sort()).toEqual(looped.toSorted());
  });

  it("each without its decision, or without the reason → named, with its loop", () => {
    for (const name of looped) {
      for (const what of ["Properties", "Metadata"] as const) {
        const fn = functionNamed(name);
        const { RecursiveLoop, "ingather:recursion": _reason, ...rest } = fn[what];
        fn[what] = rest;
        const problems = recursionProblems(templates);
        expect(problems, `${name} ${what}`).toEqual([
          expect.stringMatching(new RegExp(`^${name} is in a loop.*: ${name} → .*${name}$`)),
        ]);
        fn[what] = {
          ...rest,
          ...(what === "Properties" ? { RecursiveLoop } : { "ingather:recursion": "r" }),
        };
      }
    }
  });

  it("a decision of any function that is in no loop → named: Lambda's default is what it is to have", () => {
    const others = [...invocationGraph(templates).keys()].filter((name) => !looped.includes(name));
    expect(others.length).toBeGreaterThan(20);
    for (const name of others) {
      const { Properties } = functionNamed(name);
      Properties.RecursiveLoop = "Allow";
      expect(recursionProblems(templates)).toEqual([`${name} is not in a loop, but sets recursion`]);
      delete Properties.RecursiveLoop;
    }
  });

  it("a grant that closes a loop → each function on it is named", () => {
    const report = functionNamed("ingather-send-report");
    const queue = ofType("AWS::SQS::Queue").find(
      ({ resource }) => resource.Properties.QueueName === "ingather-validate",
    );
    const policy = ofType("AWS::IAM::Policy").find(({ resource }) =>
      JSON.stringify(resource.Properties.Roles).includes(report.Properties.Role["Fn::GetAtt"][0]),
    );
    policy?.resource.Properties.PolicyDocument.Statement.push({
      Effect: "Allow",
      Action: "sqs:SendMessage",
      Resource: { "Fn::GetAtt": [queue?.id, "Arn"] },
    });
    const named = recursionProblems(templates).map((problem) => problem.split(" ")[0]);
    expect(named.sort()).toEqual(["ingather-find-overdue"]);
  });
});

describe("a way of invocation that the graph does not follow → an error, rather than a loop that is not seen", () => {
  const stack = "ingather-delivery";
  it.each<[string, string, (role: unknown) => object]>([
    [
      "a stream as event source",
      "AWS::Lambda::EventSourceMapping",
      () => ({ EventSourceArn: { "Fn::GetAtt": ["Records", "StreamArn"] }, FunctionName: "f" }),
    ],
    ["a subscription to a topic", "AWS::SNS::Subscription", () => ({})],
    ["a notification of a bucket", "AWS::S3::Bucket", () => ({ NotificationConfiguration: {} })],
    [
      "a grant to send to queues by a pattern of names",
      "AWS::IAM::Policy",
      (role) => ({
        Roles: [role],
        PolicyDocument: {
          Statement: [{ Effect: "Allow", Action: "sqs:SendMessage", Resource: "arn:aws:sqs:*:*:ingather-*" }],
        },
      }),
    ],
  ])("%s", (_title, Type, properties) => {
    const [role] = functionNamed("ingather-send-report").Properties.Role["Fn::GetAtt"];
    const Added = { Type, Properties: properties({ Ref: role }) };
    templates[stack] = { ...templates[stack], Resources: { ...templates[stack]?.Resources, Added } };
    expect(() => recursionProblems(templates)).toThrow("the graph of invocations does not follow it");
  });
});

describe("loops of any graph", () => {
  const nodes = ["a", "b", "c", "d", "e", "f"];
  const graphs = fc
    .array(fc.tuple(fc.constantFrom(...nodes), fc.constantFrom(...nodes)), { maxLength: 12 })
    .map(
      (edges): InvocationGraph =>
        new Map(
          nodes.map((node) => [node, new Set(edges.filter(([from]) => from === node).map(([, to]) => to))]),
        ),
    );

  it("are found exactly: a function has one if it can be reached from itself, and its way exists", () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const loops = findLoops(graph);
        for (const node of nodes) {
          const reached = new Set(graph.get(node));
          for (const each of reached) for (const next of graph.get(each) ?? []) reached.add(next);
          expect(loops.has(node)).toBe(reached.has(node));
          const way = loops.get(node) ?? [];
          for (const [index, step] of way.slice(1).entries())
            expect(graph.get(way[index] ?? "")?.has(step)).toBe(true);
          if (way.length > 0) expect([way[0], way.at(-1)]).toEqual([node, node]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
