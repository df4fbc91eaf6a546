import { describe, expect, test } from "vitest";
import type { Call } from "../fixtures/functions/call.ts";
import { type SmallCloud, scheduleInput } from "../small-cloud.ts";

/** What no role permits is refused. */
export function permissionCases(small: SmallCloud): void {
  describe("a call that the role does not permit is refused, naming function, action and resource", () => {
    const user =
      /^User: arn:aws:sts::000000000000:assumed-role\/small-main-CallServiceRole\w+\/small-call is not/;
    test.each<[string, Call["service"], string, () => object, string]>([
      [
        "a queue",
        "sqs",
        "SendMessageCommand",
        () => ({ QueueUrl: small.queueUrl("small-closed"), MessageBody: "x" }),
        "sqs:SendMessage on resource: arn:aws:sqs:eu-central-1:000000000000:small-closed because no identity-based policy allows the sqs:SendMessage action",
      ],
      [
        "a batch to a queue",
        "sqs",
        "SendMessageBatchCommand",
        () => ({ QueueUrl: small.queueUrl("small-closed"), Entries: [{ Id: "1", MessageBody: "x" }] }),
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
      const { error, message } = await small.call(service, command, input());
      expect(error).toMatch(/^AccessDenied(Exception)?$/);
      expect(message).toMatch(user);
      expect(message).toContain(`authorized to perform: ${expected}`);
    });

    test("an unknown key → refused", async () => {
      const headers = {
        authorization: "AWS4-HMAC-SHA256 Credential=NOBODY/20260101/eu-central-1/sqs/aws4_request",
      };
      const answer = await fetch(small.cloud.gatewayUrl, { method: "POST", headers });
      expect(await answer.text()).toContain("The security token included in the request is invalid.");
    });
  });
}
