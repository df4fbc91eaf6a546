import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type LocalCloud, startCloud } from "../../../local/cloud/cloud.ts";
import type { FunctionLog } from "../../../local/cloud/function-log.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import type { Call } from "./fixtures/functions/call.ts";
import type { Job } from "./fixtures/functions/work.ts";
import { synthesiseSmallApp } from "./fixtures/small-app.ts";

const folder = temporaryFolder();
const stateDir = join(folder, "state");
const logs: FunctionLog[] = [];
let cloud: LocalCloud;
let assemblyDir: string;

beforeAll(async () => {
  assemblyDir = await synthesiseSmallApp(folder);
  cloud = await startCloud({
    assemblyDir,
    stateDir,
    schedules: "none",
    onLog: (line) => void logs.push(line),
  });
});
afterAll(() => cloud.stop());
beforeEach(() => {
  logs.length = 0;
});

type Output = Record<string, never> & { error?: string; message?: string; status?: number };

/** What the SDK in the function `small-call` makes of a call. */
async function call(service: Call["service"], command: string, input: object): Promise<Output> {
  return (await cloud.invoke("small-call", { service, command, input })) as Output;
}

const queueUrl = (name: string) => `${cloud.gatewayUrl}/000000000000/${name}`;

/** Calls SQS as the operator, without an SDK. */
async function asAdmin(operation: string, input: object): Promise<Record<string, unknown>> {
  const answer = await fetch(cloud.gatewayUrl, {
    method: "POST",
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${cloud.adminEnvironment.AWS_ACCESS_KEY_ID}/20260101/eu-central-1/sqs/aws4_request`,
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `AmazonSQS.${operation}`,
    },
    body: JSON.stringify(input),
  });
  return (await answer.json()) as Record<string, unknown>;
}

const send = (queue: string, job: Job, group?: string) =>
  asAdmin("SendMessage", {
    QueueUrl: queueUrl(queue),
    MessageBody: JSON.stringify(job),
    ...(group !== undefined && { MessageGroupId: group }),
  });

/** What `small-work` has done for ids with the prefix, in the order in which it did: id#receive count. */
async function done(prefix: string): Promise<string[]> {
  const { Items } = (await call("dynamodb", "ScanCommand", { TableName: "small-done" })) as unknown as {
    Items: { id: { S: string }; order: { S: string } }[];
  };
  return Items.filter(({ id }) => id.S.startsWith(prefix))
    .sort((a, b) => a.order.S.localeCompare(b.order.S))
    .map(({ id }) => id.S);
}

describe("messages", () => {
  test("of a FIFO group → in their order, one at a time; of several groups → all", async () => {
    cloud.pausePolling();
    for (const n of [1, 2, 3, 4]) {
      for (const group of ["x", "y"]) await send("small-jobs.fifo", { id: `order-${group}${n}` }, group);
    }
    cloud.resumePolling();
    await cloud.idle();
    const order = await done("order-");
    expect(order.filter((id) => id.includes("x"))).toEqual([1, 2, 3, 4].map((n) => `order-x${n}#1`));
    expect(order.filter((id) => id.includes("y"))).toEqual([1, 2, 3, 4].map((n) => `order-y${n}#1`));
  });

  test("one of a batch fails → it alone comes again", async () => {
    cloud.pausePolling();
    await send("small-plain", { id: "part-good" });
    await send("small-plain", { id: "part-bad", does: "fail" });
    cloud.resumePolling();
    await expect.poll(() => done("part-"), { timeout: 10_000 }).toContain("part-bad#2");
    expect((await done("part-")).filter((id) => id.startsWith("part-good"))).toEqual(["part-good#1"]);
    await asAdmin("PurgeQueue", { QueueUrl: queueUrl("small-plain") });
  });

  test("one that fails too often → holds up its group, then goes to the dead-letter queue", async () => {
    await send("small-jobs.fifo", { id: "dead-1", does: "fail" }, "z");
    await send("small-jobs.fifo", { id: "dead-2" }, "z");
    await cloud.idle();
    expect(await done("dead-")).toEqual(["dead-1#1", "dead-1#2", "dead-2#1"]);
    const { Messages } = await asAdmin("ReceiveMessage", { QueueUrl: queueUrl("small-jobs-dead.fifo") });
    expect(Messages).toMatchObject([{ Body: JSON.stringify({ id: "dead-1", does: "fail" }) }]);
  });

  test("the function throws → its log says why", async () => {
    await send("small-plain", { id: "boom", does: "throw" });
    await expect
      .poll(() => logs.find(({ level }) => level === "ERROR"))
      .toMatchObject({
        functionName: "small-work",
        message: { errorType: "TypeError", errorMessage: "cannot do boom" },
      });
    await asAdmin("PurgeQueue", { QueueUrl: queueUrl("small-plain") });
  });

  test("the function hangs → it ends with a time-out, and the next message is done", async () => {
    await send("small-plain", { id: "hang", does: "hang" });
    await expect
      .poll(() => logs.map(({ message }) => message), { timeout: 10_000 })
      .toContainEqual("Task timed out after 2.00 seconds");
    await asAdmin("PurgeQueue", { QueueUrl: queueUrl("small-plain") });
    await send("small-plain", { id: "next", does: "log" });
    await cloud.idle();
    expect(await done("next")).toEqual(["next#1"]);
    const line = logs.find(({ message }) => (message as { id?: string }).id === "next");
    expect(line).toMatchObject({ functionName: "small-work", level: "INFO", message: { message: "did" } });
    expect(readFileSync(join(stateDir, "logs", "small-work.log"), "utf8")).toContain('"id":"next"');
  });

  test("the function takes more memory than the template gives it → it ends and says so, and the next message is done", async () => {
    await send("small-plain", { id: "fill", does: "fill" });
    await expect
      .poll(() => logs.map(({ message }) => message), { timeout: 20_000 })
      .toContainEqual("small-work needs more than its 128 MB of memory");
    await asAdmin("PurgeQueue", { QueueUrl: queueUrl("small-plain") });
    await send("small-plain", { id: "after", does: "log" });
    await cloud.idle();
    expect(await done("after")).toEqual(["after#1"]);
  });

  test("visibility set to 0 → visible again, and not lost", async () => {
    await send("small-open", { id: "back" });
    const { Messages } = (await asAdmin("ReceiveMessage", { QueueUrl: queueUrl("small-open") })) as {
      Messages: { ReceiptHandle: string }[];
    };
    await call("sqs", "ChangeMessageVisibilityCommand", {
      QueueUrl: queueUrl("small-open"),
      ReceiptHandle: Messages[0]?.ReceiptHandle,
      VisibilityTimeout: 0,
    });
    const again = await asAdmin("ReceiveMessage", {
      QueueUrl: queueUrl("small-open"),
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
    });
    expect(again).toMatchObject({ Messages: [{ Attributes: { ApproximateReceiveCount: "2" } }] });
    await asAdmin("PurgeQueue", { QueueUrl: queueUrl("small-open") });
  });
});

describe("a call that the role does not permit is refused, naming function, action and resource", () => {
  const user =
    /^User: arn:aws:sts::000000000000:assumed-role\/small-main-CallServiceRole\w+\/small-call is not/;
  test.each<[string, Call["service"], string, () => object, string]>([
    [
      "a queue",
      "sqs",
      "SendMessageCommand",
      () => ({ QueueUrl: queueUrl("small-closed"), MessageBody: "x" }),
      "sqs:SendMessage on resource: arn:aws:sqs:eu-central-1:000000000000:small-closed because no identity-based policy allows the sqs:SendMessage action",
    ],
    [
      "a batch to a queue",
      "sqs",
      "SendMessageBatchCommand",
      () => ({ QueueUrl: queueUrl("small-closed"), Entries: [{ Id: "1", MessageBody: "x" }] }),
      "sqs:SendMessage on resource: arn:aws:sqs:eu-central-1:000000000000:small-closed ",
    ],
    [
      "another prefix of a bucket",
      "s3",
      "PutObjectCommand",
      () => ({ Bucket: "small-kept", Key: "yours/a", Body: "x" }),
      's3:PutObject on resource: "arn:aws:s3:::small-kept/yours/a" ',
    ],
    [
      "one of several keys",
      "s3",
      "DeleteObjectsCommand",
      () => ({ Bucket: "small-kept", Delete: { Objects: [{ Key: "mine/a" }, { Key: "yours/<a>&b" }] } }),
      's3:DeleteObject on resource: "arn:aws:s3:::small-kept/yours/<a>&b" ',
    ],
    [
      "another bus",
      "events",
      "PutEventsCommand",
      () => ({ Entries: [{ Source: "a", DetailType: "b", Detail: "{}" }] }),
      "events:PutEvents on resource: arn:aws:events:eu-central-1:000000000000:event-bus/default ",
    ],
    [
      "another sender",
      "ses",
      "SendEmailCommand",
      () => ({ FromEmailAddress: "x@y.example", Content: { Raw: { Data: new Uint8Array() } } }),
      "ses:SendRawEmail on resource: arn:aws:ses:eu-central-1:000000000000:identity/x@y.example ",
    ],
    [
      "another secret",
      "secretsmanager",
      "GetSecretValueCommand",
      () => ({ SecretId: "yours/password" }),
      "secretsmanager:GetSecretValue on resource: arn:aws:secretsmanager:eu-central-1:000000000000:secret:yours/password-Abc123 ",
    ],
    [
      "a role to pass",
      "scheduler",
      "CreateScheduleCommand",
      () => scheduleInput("s", { RoleArn: "arn:aws:iam::000000000000:role/other" }),
      "iam:PassRole on resource: arn:aws:iam::000000000000:role/other ",
    ],
  ])("%s", async (_title, service, command, input, expected) => {
    const { error, message } = await call(service, command, input());
    expect(error).toMatch(/^AccessDenied(Exception)?$/);
    expect(message).toMatch(user);
    expect(message).toContain(`authorized to perform: ${expected}`);
  });

  test("an unknown key → refused", async () => {
    const headers = {
      authorization: "AWS4-HMAC-SHA256 Credential=NOBODY/20260101/eu-central-1/sqs/aws4_request",
    };
    const answer = await fetch(cloud.gatewayUrl, { method: "POST", headers });
    expect(await answer.text()).toContain("The security token included in the request is invalid.");
  });
});

describe("S3", () => {
  test("an object → comes back as it was, whatever its key", async () => {
    const place = { Bucket: "small-kept", Key: "mine/a b+c%20ü.txt" };
    await call("s3", "PutObjectCommand", { ...place, Body: "Grüße" });
    expect(await call("s3", "GetObjectCommand", place)).toMatchObject({ Body: "Grüße" });
    const listed = await call("s3", "ListObjectsV2Command", { Bucket: "small-kept", Prefix: "mine/a b" });
    expect(listed).toMatchObject({ Contents: [{ Key: place.Key, Size: 7 }] });
  });

  test("one that is not there, for who may list → NoSuchKey", async () => {
    const answer = await call("s3", "GetObjectCommand", { Bucket: "small-kept", Key: "mine/none" });
    expect(answer).toMatchObject({ error: "NoSuchKey", status: 404 });
  });

  test.each<[string, string, object, string]>([
    [
      "a condition on PUT",
      "PutObjectCommand",
      { Body: "x", IfNoneMatch: "*" },
      "S3 here ignores conditions on PUT",
    ],
    [
      "tags",
      "PutObjectTaggingCommand",
      { Tagging: { TagSet: [] } },
      "S3 here does not know the parameter tagging",
    ],
  ])("%s → refused rather than done wrong", async (_title, command, input, message) => {
    const answer = await call("s3", command, { Bucket: "small-kept", Key: "mine/c", ...input });
    expect(answer).toMatchObject({ error: "NotImplemented", status: 501 });
    expect(answer.message).toContain(message);
  });
});

test("a secret in the state folder's file → its text; one that is not there → not found", async () => {
  writeFileSync(join(stateDir, "secrets.json"), JSON.stringify({ "mine/password": "open sesame" }));
  const read = (SecretId: string) => call("secretsmanager", "GetSecretValueCommand", { SecretId });
  expect(await read("mine/password")).toMatchObject({ SecretString: "open sesame" });
  expect(await read("mine/none")).toMatchObject({ error: "ResourceNotFoundException" });
});

test("GetQueueUrl → the address of the gateway", async () => {
  expect(await call("sqs", "GetQueueUrlCommand", { QueueName: "small-open" })).toMatchObject({
    QueueUrl: queueUrl("small-open"),
  });
});

test("a query of an index → answered", async () => {
  const input = {
    TableName: "small-done",
    IndexName: "by-group",
    KeyConditionExpression: "#group = :group",
    ExpressionAttributeNames: { "#group": "group" },
    ExpressionAttributeValues: { ":group": { S: "nobody" } },
  };
  expect(await call("dynamodb", "QueryCommand", input)).toMatchObject({ Count: 0 });
});

function scheduleInput(Name: string, target: object = {}): object {
  return {
    Name,
    GroupName: "small",
    ScheduleExpression: "at(2020-01-01T00:00:00)",
    FlexibleTimeWindow: { Mode: "OFF" },
    ActionAfterCompletion: "DELETE",
    Target: {
      Arn: "arn:aws:sqs:eu-central-1:000000000000:small-open",
      RoleArn: "arn:aws:iam::000000000000:role/small-schedules",
      Input: '{"id":"s","at":"<aws.scheduler.scheduled-time>"}',
      ...target,
    },
  };
}

describe("schedules", () => {
  test("of the API, its time is over → delivered with its attributes, and deleted", async () => {
    await call("scheduler", "CreateScheduleCommand", scheduleInput("soon"));
    await expect
      .poll(() => asAdmin("ReceiveMessage", { QueueUrl: queueUrl("small-open") }))
      .toMatchObject({ Messages: [{ Body: '{"id":"s","at":"2020-01-01T00:00:00Z"}' }] });
    const found = () => call("scheduler", "GetScheduleCommand", { Name: "soon", GroupName: "small" });
    await expect.poll(found).toMatchObject({ error: "ResourceNotFoundException" });
  });

  test("created, read, changed, listed, deleted → as AWS answers", async () => {
    const later = { ...scheduleInput("later"), ScheduleExpression: "at(2999-01-01T00:00:00)" };
    const id = { Name: "later", GroupName: "small" };
    const Arn = "arn:aws:scheduler:eu-central-1:000000000000:schedule/small/later";
    expect(await call("scheduler", "CreateScheduleCommand", later)).toMatchObject({ ScheduleArn: Arn });
    expect(await call("scheduler", "CreateScheduleCommand", later)).toMatchObject({
      error: "ConflictException",
    });
    expect(await call("scheduler", "UpdateScheduleCommand", { ...later, State: "DISABLED" })).toMatchObject({
      ScheduleArn: Arn,
    });
    expect(await call("scheduler", "GetScheduleCommand", id)).toMatchObject({
      ...id,
      Arn,
      State: "DISABLED",
    });
    expect(await call("scheduler", "ListSchedulesCommand", { NamePrefix: "later" })).toMatchObject({
      Schedules: [{ ...id, Arn }],
    });
    await call("scheduler", "DeleteScheduleCommand", id);
    expect(await call("scheduler", "GetScheduleCommand", id)).toMatchObject({
      error: "ResourceNotFoundException",
    });
  });

  test("a target that is neither queue nor function → refused", async () => {
    const RoleArn = "arn:aws:iam::000000000000:role/small-schedules";
    const wrong = scheduleInput("wrong", { Arn: "arn:aws:sns:eu-central-1:000000000000:topic", RoleArn });
    expect(await call("scheduler", "CreateScheduleCommand", wrong)).toMatchObject({
      error: "ValidationException",
      message: expect.stringContaining("delivers to queues and functions only"),
    });
  });

  test("of the template, run by hand → its message is worked on", async () => {
    await cloud.runSchedule("small-daily");
    await cloud.idle();
    expect(await done("daily")).toEqual(["daily#1"]);
  });
});

describe("mail", () => {
  const raw = (from: string) =>
    new Uint8Array(Buffer.from(`From: ${from}\r\nX-Ingather-Mail-Id: daily-1\r\nSubject: x\r\n\r\nText`));

  test("sent twice under one X-Ingather-Mail-Id → one file", async () => {
    const encoded = Buffer.from(raw("Small <small@library.example>")).toString("base64");
    for (const _ of [1, 2]) await sendRaw(encoded);
    expect(readdirSync(join(stateDir, "mail"))).toEqual(["daily-1.eml"]);
  });

  test("whom a mail goes to, also when it is sent again to others → in the header X-Envelope-To", async () => {
    const encoded = Buffer.from(raw("Small <small@library.example>")).toString("base64");
    for (const addresses of [["a@b.example", "Cé <c@d.example>"], ["a@b.example"], ["e@f.example"]]) {
      await sendRaw(encoded, { Destination: { BccAddresses: addresses } });
    }
    const text = readFileSync(join(stateDir, "mail", "daily-1.eml"), "utf8");
    expect(text).toBe(
      `X-Envelope-To: a@b.example,\r\n c@d.example,\r\n e@f.example\r\n${Buffer.from(encoded, "base64")}`,
    );
  });

  test("a sender that is no identity → MessageRejected", async () => {
    const encoded = Buffer.from(raw("other@library.example")).toString("base64");
    expect(await sendRaw(encoded)).toEqual({
      message:
        "Email address is not verified. The following identities failed the check: other@library.example",
    });
  });

  test.each<[string, string[], string | undefined]>([
    ["50 recipients → taken", Array(50).fill("a@b.example"), undefined],
    ["51 → refused", Array(51).fill("a@b.example"), "Recipient count exceeds 50."],
    ["one that is no address → refused for all", ["a@b.example", "nobody"], "Missing final '@domain'"],
  ])("%s", async (_title, BccAddresses, message) => {
    const encoded = Buffer.from(raw("Small <small@library.example>")).toString("base64");
    const answer = await sendRaw(encoded, { Destination: { BccAddresses } });
    expect(answer).toEqual(message === undefined ? { MessageId: expect.any(String) } : { message });
  });

  test("a simple mail → a MIME message", async () => {
    const sent = await call("ses", "SendEmailCommand", {
      FromEmailAddress: "Small <small@library.example>",
      Destination: { ToAddresses: ["to@library.example"] },
      Content: { Simple: { Subject: { Data: "Täglich" }, Body: { Text: { Data: "Grüße" } } } },
    });
    const text = readFileSync(join(stateDir, "mail", `${sent.MessageId}.eml`), "utf8");
    expect(text).toMatch(/^To: to@library\.example\r$/m);
    expect(text).toContain("Subject: =?UTF-8?Q?T=C3=A4glich?=");
  });

  async function sendRaw(Data: string, more: object = {}): Promise<unknown> {
    const answer = await fetch(`${cloud.gatewayUrl}/v2/email/outbound-emails`, {
      method: "POST",
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${cloud.adminEnvironment.AWS_ACCESS_KEY_ID}/20260101/eu-central-1/ses/aws4_request`,
      },
      body: JSON.stringify({ Content: { Raw: { Data } }, ...more }),
    });
    return answer.json();
  }
});

describe("events", () => {
  test("one that a rule matches → in the queue of its target, and in the journal", async () => {
    const entry = (DetailType: string) => ({
      EventBusName: "small-bus",
      Source: "small",
      DetailType,
      Detail: '{"n":1}',
    });
    const answer = await call("events", "PutEventsCommand", {
      Entries: [entry("job.finished"), entry("job.begun")],
    });
    expect(answer).toMatchObject({ FailedEntryCount: 0 });
    const { Messages } = (await asAdmin("ReceiveMessage", {
      QueueUrl: queueUrl("small-open"),
      MaxNumberOfMessages: 10,
    })) as {
      Messages: { Body: string }[];
    };
    expect(Messages.map(({ Body }) => JSON.parse(Body))).toMatchObject([
      { "detail-type": "job.finished", detail: { n: 1 } },
    ]);
    const journal = readFileSync(join(stateDir, "events.ndjson"), "utf8").trim().split("\n");
    expect(journal.map((line) => JSON.parse(line)["detail-type"])).toEqual(["job.finished", "job.begun"]);
  });

  test("no JSON object as detail → that entry fails", async () => {
    const Entries = [{ EventBusName: "small-bus", Source: "a", DetailType: "b", Detail: "[]" }];
    expect(await call("events", "PutEventsCommand", { Entries })).toMatchObject({ FailedEntryCount: 1 });
  });
});

test("a function invoked as an event → runs, though nobody waits for it", async () => {
  const answer = await fetch(`${cloud.gatewayUrl}/2015-03-31/functions/small-work/invocations`, {
    method: "POST",
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${cloud.adminEnvironment.AWS_ACCESS_KEY_ID}/20260101/eu-central-1/lambda/aws4_request`,
      "x-amz-invocation-type": "Event",
    },
    body: JSON.stringify({
      Records: [{ body: '{"id":"event"}', attributes: { ApproximateReceiveCount: "1" } }],
    }),
  });
  expect(answer.status).toBe(202);
  await cloud.idle();
  expect(await done("event")).toEqual(["event#1"]);
});

describe("the HTTP API answers", () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(cloud.apiUrl + path, { headers, redirect: "manual" });
  const bearer = async (claims: Record<string, unknown>) => ({
    authorization: `Bearer ${await cloud.issueToken(claims)}`,
  });

  test("a path with a parameter, a query and cookies → what the function makes of it", async () => {
    const answer = await get("/records/a%20b%23c?q=1&q=2&r=", { cookie: "a=1; b=2" });
    expect(await answer.json()).toMatchObject({
      route: "GET /records/{id}",
      path: { id: "a b#c" },
      query: { q: "1,2", r: "" },
      cookies: ["a=1", "b=2"],
    });
  });

  test.each<[string, string, string, boolean]>([
    ["JSON", "application/json", '{"a":1}', false],
    ["anything else", "application/zip", "UEs=", true],
  ])("a body of %s → as text or base64", async (_title, type, body, base64) => {
    const sent = base64 ? Buffer.from(body, "base64") : body;
    const answer = await fetch(`${cloud.apiUrl}/records/1`, {
      method: "POST",
      headers: { "content-type": type },
      body: sent,
    });
    expect(await answer.json()).toMatchObject({ body, base64 });
  });

  test("a binary answer → its bytes; cookies and redirects → their headers", async () => {
    const image = await get("/image");
    expect(Buffer.from(await image.arrayBuffer()).toString("base64")).toBe("iVBORw==");
    const login = await get("/login");
    expect([login.status, login.headers.get("location"), login.headers.getSetCookie()]).toEqual([
      303,
      "/",
      ["a=1", "b=2"],
    ]);
  });

  test.each<[string, string, (() => Promise<Record<string, string>>) | undefined, number, string]>([
    ["no such route → 404", "/nowhere", undefined, 404, "Not Found"],
    ["the function throws → 500", "/broken", undefined, 500, "Internal Server Error"],
    ["no token → 401", "/mine", undefined, 401, "Unauthorized"],
    ["no JWT → 401", "/mine", async () => ({ authorization: "Bearer x.y.z" }), 401, "Unauthorized"],
    ["a token that is over → 401", "/mine", () => bearer({ sub: "u", exp: 1 }), 401, "Unauthorized"],
    [
      "a token of another issuer → 401",
      "/mine",
      () => bearer({ sub: "u", iss: "https://else.example" }),
      401,
      "Unauthorized",
    ],
    ["a token for others → 401", "/mine", () => bearer({ sub: "u", aud: "others" }), 401, "Unauthorized"],
    [
      "a token without the scope → 403",
      "/all",
      () => bearer({ sub: "u", scope: "records:read" }),
      403,
      "Forbidden",
    ],
  ])("%s", async (_title, path, headers, status, message) => {
    const answer = await get(path, await headers?.());
    expect([answer.status, await answer.json()]).toEqual([status, { message }]);
  });

  test("a good token → the claims reach the function", async () => {
    const mine = await get("/mine", await bearer({ sub: "u1" }));
    expect(await mine.json()).toMatchObject({ claims: { sub: "u1", iss: "https://issuer.example" } });
    const all = await get("/all", await bearer({ sub: "u1", scope: "records:read records:write" }));
    expect(all.status).toBe(200);
  });

  test("the key of the tokens → only its owner may read it", () => {
    expect(statSync(join(stateDir, "token-key.json")).mode & 0o777).toBe(0o600);
  });
});

test("a second start on the same folder → says who holds it", async () => {
  await expect(startCloud({ assemblyDir, stateDir })).rejects.toThrow(`in use by process ${process.pid}`);
});

test("the variables of the functions → those of the templates, resolved", () => {
  expect(cloud.variables).toMatchObject({
    GREETING: "hello",
    DONE_TABLE: "small-done",
    OPEN_QUEUE: queueUrl("small-open"),
  });
});

test("stopped and started again → messages, objects, items and schedules are there", async () => {
  const place = { Bucket: "small-kept", Key: "mine/stays" };
  const later = { ...scheduleInput("stays"), ScheduleExpression: "at(2999-01-01T00:00:00)" };
  await call("s3", "PutObjectCommand", { ...place, Body: "here" });
  await call("scheduler", "CreateScheduleCommand", later);
  await asAdmin("PurgeQueue", { QueueUrl: queueUrl("small-open") });
  await send("small-open", { id: "stays" });
  const before = await done("");
  await cloud.stop();
  cloud = await startCloud({ assemblyDir, stateDir, schedules: "none", parameters: { Greeting: "again" } });
  expect(await done("")).toEqual(before);
  expect(await call("s3", "GetObjectCommand", place)).toMatchObject({ Body: "here" });
  expect(await call("scheduler", "GetScheduleCommand", { Name: "stays", GroupName: "small" })).toMatchObject({
    State: "ENABLED",
  });
  expect(await asAdmin("ReceiveMessage", { QueueUrl: queueUrl("small-open") })).toMatchObject({
    Messages: [{ Body: '{"id":"stays"}' }],
  });
  expect(cloud.variables.GREETING).toBe("again");
});
