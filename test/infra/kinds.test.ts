import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { inboundResponse } from "../../shared/web/request/response.ts";
import { temporaryFolder } from "../temporary-folder.ts";

// The registry with one kind more: nothing else of the code knows of it.
vi.mock(import("../../shared/web/request/kinds.ts"), async (load) => {
  const { kinds, ...rest } = await load();
  const sparql = {
    ...kinds.authority,
    method: "POST",
    accept: "application/sparql-results+json",
    reader: { ...kinds.authority.reader, file: "read-sparql", timeoutSeconds: 30, batchSize: 3 },
  };
  const more = { ...kinds, "sparql-ask": sparql };
  return {
    ...rest,
    kinds: more,
    requestKinds: Object.keys(more),
    kindPolicy: (kind: keyof typeof kinds) => more[kind],
  } as never;
});

const root = join(import.meta.dirname, "../..");
// biome-ignore lint/suspicious/noExplicitAny: a template is what the tests are about
type Resource = { Type: string; Properties: Record<string, any> };

const folder = temporaryFolder();
let resources: [id: string, Resource][] = [];
beforeAll(async () => {
  const { writeTemplates } = await import("../../infra/templates.ts");
  const { context } = JSON.parse(readFileSync(join(root, "cdk.json"), "utf8"));
  const outdir = join(folder, "assembly");
  // Beside the assembly, not around it: the bundles are an asset, which is copied into it.
  const bundles = join(folder, "bundles");
  mkdirSync(bundles);
  writeFileSync(join(bundles, "read-sparql.mjs"), "");
  await writeTemplates({ outdir, bundles, deployable: false, context });
  const files = readdirSync(outdir).filter((name) => name.endsWith(".template.json"));
  resources = files.flatMap((file) =>
    Object.entries<Resource>(JSON.parse(readFileSync(join(outdir, file), "utf8")).Resources),
  );
});

const find = (type: string, name: string, value: string) =>
  resources.find(([, { Type, Properties }]) => Type === type && Properties[name] === value);

describe("an entry of the registry", () => {
  it.each(["feed", "sparql-ask"])("%s → a queue with its dead-letter queue", (kind) => {
    const queue = find("AWS::SQS::Queue", "QueueName", `ingather-${kind}-responses`);
    const dead = find("AWS::SQS::Queue", "QueueName", `ingather-${kind}-responses-dead`);
    expect(JSON.stringify(queue?.[1].Properties.RedrivePolicy)).toContain(dead?.[0]);
  });

  it.each([
    ["feed", "read-feed", 300, 1],
    ["sparql-ask", "read-sparql", 30, 3],
  ])(
    "%s → its reader %s, fed by that queue, with its timeout and batch size",
    (kind, file, timeout, batch) => {
      const [id = "?", fn] = find("AWS::Lambda::Function", "FunctionName", `ingather-${file}`) ?? [];
      expect(fn?.Properties).toMatchObject({ Handler: `${file}.handler`, Timeout: timeout });
      const source = resources.find(
        ([, { Type, Properties }]) =>
          Type === "AWS::Lambda::EventSourceMapping" && Properties.FunctionName.Ref === id,
      )?.[1].Properties;
      const [queueId = "?", queue] = find("AWS::SQS::Queue", "QueueName", `ingather-${kind}-responses`) ?? [];
      expect(JSON.stringify(source?.EventSourceArn)).toContain(queueId);
      expect(source?.BatchSize).toBe(batch);
      expect(queue?.Properties.VisibilityTimeout).toBe(Math.max(6 * timeout, 900));
      expect(fn?.Properties.Environment.Variables.RESPONSES_BUCKET).toBeDefined();
    },
  );

  it.each([
    ["feed", "FEED_RESPONSES_QUEUE_URL"],
    ["sparql-ask", "SPARQL_ASK_RESPONSES_QUEUE_URL"],
  ])("%s → the gate may send to its queue, by the variable %s", (kind, variable) => {
    const [, gate] = find("AWS::Lambda::Function", "FunctionName", "ingather-send-requests") ?? [];
    const [queueId = "?"] = find("AWS::SQS::Queue", "QueueName", `ingather-${kind}-responses`) ?? [];
    expect(gate?.Properties.Environment.Variables[variable]).toEqual({ Ref: queueId });
    const role = gate?.Properties.Role["Fn::GetAtt"][0];
    const statements = resources
      .filter(
        ([, { Type, Properties }]) =>
          /^AWS::IAM::(Managed)?Policy$/.test(Type) && JSON.stringify(Properties.Roles).includes(role),
      )
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
    const sendsTo = statements
      .filter(({ Action }) => [Action].flat().includes("sqs:SendMessage"))
      .flatMap(({ Resource }) => Resource);
    expect(sendsTo).toContainEqual({ "Fn::GetAtt": [queueId, "Arn"] });
  });

  it("sparql-ask → a kind that requests may have, with its Accept header", async () => {
    const { outboundRequest } = await import("../../shared/web/request/request.ts");
    const { requestHeaders } = await import("../../shared/web/chain/request-headers.ts");
    const request = outboundRequest.parse({ id: "r", kind: "sparql-ask", url: "https://a.example/" });
    const given = { userAgent: "u", earlier: undefined, now: new Date() };
    const headers = requestHeaders(request, new URL(request.url), given);
    expect(headers.accept).toBe("application/sparql-results+json");
  });
});

describe("each kind", async () => {
  const { kinds } = await vi.importActual<typeof import("../../shared/web/request/kinds.ts")>(
    "../../shared/web/request/kinds.ts",
  );
  it.each(Object.entries(kinds))("%s has its reader, and a sample event of that kind", (kind, { reader }) => {
    expect(existsSync(join(root, "functions", reader.folder, `${reader.file}.ts`))).toBe(true);
    const sample = JSON.parse(readFileSync(join(root, "events", `${reader.file}.json`), "utf8"));
    for (const { body, eventSourceARN } of sample.Records) {
      expect(inboundResponse.parse(JSON.parse(body)).request.kind).toBe(kind);
      expect(eventSourceARN).toMatch(new RegExp(`:ingather-${kind}-responses$`));
    }
  });
});
