import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SmallCloud } from "../small-cloud.ts";

/** Objects, secrets, addresses and indexes, as the services give them. */
export function serviceCases(small: SmallCloud): void {
  describe("S3", () => {
    test("an object → comes back as it was, whatever its key", async () => {
      const place = { Bucket: "small-kept", Key: "mine/a b+c%20ü.txt" };
      await small.call("s3", "PutObjectCommand", { ...place, Body: "Grüße" });
      expect(await small.call("s3", "GetObjectCommand", place)).toMatchObject({ Body: "Grüße" });
      const listed = await small.call("s3", "ListObjectsV2Command", {
        Bucket: "small-kept",
        Prefix: "mine/a b",
      });
      expect(listed).toMatchObject({ Contents: [{ Key: place.Key, Size: 7 }] });
    });

    test("one that is not there, for who may list → NoSuchKey", async () => {
      const answer = await small.call("s3", "GetObjectCommand", { Bucket: "small-kept", Key: "mine/none" });
      expect(answer).toMatchObject({ error: "NoSuchKey", status: 404 });
    });

    test.each<[string, string, object, string]>([
      [
        "a condition on PUT",
        "PutObjectCommand",
        { Body: "x", IfNoneMatch: "*" },
        "the local S3 does not support conditions on PUT",
      ],
      [
        "tags",
        "PutObjectTaggingCommand",
        { Tagging: { TagSet: [] } },
        "the local S3 does not support the parameter tagging",
      ],
    ])("%s → refused rather than done wrong", async (_title, command, input, message) => {
      const answer = await small.call("s3", command, { Bucket: "small-kept", Key: "mine/c", ...input });
      expect(answer).toMatchObject({ error: "NotImplemented", status: 501 });
      expect(answer.message).toContain(message);
    });
  });

  test("a secret in the state folder's file → its text; one that is not there → not found", async () => {
    writeFileSync(join(small.stateDir, "secrets.json"), JSON.stringify({ "mine/password": "open sesame" }));
    const read = (SecretId: string) => small.call("secretsmanager", "GetSecretValueCommand", { SecretId });
    expect(await read("mine/password")).toMatchObject({ SecretString: "open sesame" });
    expect(await read("mine/none")).toMatchObject({ error: "ResourceNotFoundException" });
  });

  test("GetQueueUrl → the address of the gateway", async () => {
    expect(await small.call("sqs", "GetQueueUrlCommand", { QueueName: "small-open" })).toMatchObject({
      QueueUrl: small.queueUrl("small-open"),
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
    expect(await small.call("dynamodb", "QueryCommand", input)).toMatchObject({ Count: 0 });
  });
}
