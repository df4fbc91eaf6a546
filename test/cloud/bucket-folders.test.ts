import { text } from "node:stream/consumers";
import { DeleteObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { DeleteMessageCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { beforeAll, expect, it } from "vitest";
import type { LocalCloud } from "../../local/cloud/cloud.ts";
import { bucketNames, variables } from "../../shared/names.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

let cloud: LocalCloud;
let bucket: string;

beforeAll(async () => {
  cloud = await testCloud(stateFolder(), { polling: false });
  // On AWS there is no directory of folders.
  delete process.env[variables.foldersDirectory];
  bucket = bucketNames.deliveries("000000000000", process.env.AWS_REGION ?? "");
});

async function put(key: string, content: string): Promise<void> {
  const { putObject } = await import("../../shared/adapters/aws/s3.ts");
  await putObject(bucket, key, { content: Buffer.from(content), contentType: "text/plain" });
}

async function remove(key: string): Promise<void> {
  await new S3Client({ forcePathStyle: true }).send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
}

it("a folder of more objects than a listing of S3 has → all of them, by their tags", async () => {
  const { inParallel } = await import("../../shared/core/in-parallel.ts");
  const { folderStore } = await import("../../shared/harvest/stores/folder-store.ts");
  const folder = { bucket, prefix: "large/2026/" };
  const names = Array.from({ length: 1050 }, (_, number) => `${number % 7}/ü ${number}.txt`);
  await inParallel(names, 16, (name) => put(`${folder.prefix}${name}`, name));
  await put("large/2026/", "");
  await put("large/2026/empty/", "");
  await put("large/20261/other.txt", "other");
  const list = async () => {
    const files = await folderStore().list(folder);
    if ("problem" in files) throw new Error(files.problem);
    return new Map(files.map((file) => [file.name, file]));
  };
  const before = await list();
  expect([...before.keys()].toSorted()).toEqual(names.toSorted());
  const [changed = "", gone = "", kept = ""] = names;
  await put(`${folder.prefix}${changed}`, "another");
  await remove(`${folder.prefix}${gone}`);
  const after = await list();
  expect(after.size).toBe(names.length - 1);
  expect(after.has(gone)).toBe(false);
  expect(after.get(kept)).toEqual(before.get(kept));
  expect(after.get(changed)?.etag).not.toBe(before.get(changed)?.etag);
  const open = async (file = before.get(changed)) => file && folderStore().open(folder, file);
  expect(await open()).toBeUndefined();
  expect(await open(before.get(gone))).toBeUndefined();
  const content = await open(after.get(changed));
  expect(content && (await text(content))).toBe("another");
  expect(await folderStore().list({ bucket: "no-such-bucket-here", prefix: "" })).toMatchObject({
    problem: expect.stringContaining("no-such-bucket-here"),
  });
});

it("a bucket that is polled → new, changed and vanished objects are documents with their files", async () => {
  const { storeConfiguration } = await import("../../local/start/run-delivery.ts");
  const { localGroup } = await import("../../local/local-group.ts");
  const { documentStore } = await import("../../shared/adapters/records/document-store.ts");
  const { itemStore } = await import("../../shared/harvest/stores/item-store.ts");
  const { oaiHarvestStore } = await import("../../shared/harvest/stores/oai-harvest-store.ts");
  const { sqs } = await import("../../shared/adapters/aws/sqs-sdk.ts");
  const { variable } = await import("../../shared/adapters/aws/environment.ts");
  const { handler } = await import("../../functions/documents/read-upload.ts");
  await storeConfiguration([
    {
      sourceId: "bucket",
      title: "Bucket",
      type: "FOLDER",
      url: "https://bucket.example/",
      groupId: localGroup.groupId,
      deliveryMode: "TEST",
      folder: { bucket, prefix: "theses/" },
      reading: { mode: "asynchronous", everyMinutes: 5 },
    },
  ]);
  const beginMs = Date.now() - 2 * 3_600_000;
  /** In this process the folders are those of buckets. */
  const poll = async (minutes: number) => {
    const time = new Date(beginMs + minutes * 60_000).toISOString();
    expect(await cloud.invoke("ingather-poll-sources", { time })).toMatchObject({ started: ["bucket"] });
    const QueueUrl = variable("documentUploadsQueue");
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    expect(Messages).toHaveLength(1);
    for (const { Body = "", MessageId = "", ReceiptHandle = "" } of Messages) {
      const record = { messageId: MessageId, receiptHandle: ReceiptHandle, body: Body, attributes: {} };
      const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: MessageId };
      const result = await (handler as CallableFunction)({ Records: [record] }, context);
      expect(result).toMatchObject({ batchItemFailures: [] });
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    const { documents } = await documentStore().list("bucket", { limit: 10 });
    const lines = documents.map(async ({ identifier, state, documentId, versions }) => {
      const items = await itemStore().list(documentId);
      return `${identifier[0]} ${state} ${versions.length} ${items.map((item) => `${item.state} ${item.versions.length}`).join()}`;
    });
    return (await Promise.all(lines)).toSorted();
  };
  await put("theses/a/one.txt", "one");
  await put("theses/two.txt", "two");
  expect(await poll(0)).toEqual(["a/one.txt present 1 present 1", "two.txt present 1 present 1"]);
  await put("theses/two.txt", "two, longer");
  await put("theses/three.txt", "three");
  await remove("theses/a/one.txt");
  const after = [
    "a/one.txt deleted 2 deleted 2",
    "three.txt present 1 present 1",
    "two.txt present 2 present 2",
  ];
  expect(await poll(5)).toEqual(after);
  expect(await poll(10)).toEqual(after);
  await remove("theses/two.txt");
  await remove("theses/three.txt");
  expect(await poll(15)).toEqual(after);
  await poll(20);
  expect((await oaiHarvestStore().get("bucket"))?.last?.completeness).toMatchObject({ type: "interrupted" });
});
