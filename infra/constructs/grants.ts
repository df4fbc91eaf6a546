import { Stack, Validations } from "aws-cdk-lib";
import type { EventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { EmailIdentity } from "aws-cdk-lib/aws-ses";
import { secretNames, variables } from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";
import type { StoredTable } from "./stored-table.ts";

/** Lets a function publish on the bus, and names the bus to it. */
export function grantPublish(bus: EventBus, fn: LambdaFunction): void {
  bus.grantPutEventsTo(fn);
  fn.addEnvironment(variables.eventBus, bus.eventBusName);
}

/** Lets a function send mails and note who has had them, and tells it from whom and to whom. */
export function grantMail(
  { sender, sentMails, leases }: { sender: EmailIdentity; sentMails: StoredTable; leases: StoredTable },
  fn: LambdaFunction,
): void {
  const { mailFrom, mailTo } = deploymentSettings(fn.node);
  sender.grant(fn, "ses:SendEmail", "ses:SendRawEmail");
  sentMails.grant(fn, "get", "update");
  leases.grant(fn, "get", "put", "delete");
  fn.addEnvironment(variables.mailFrom, mailFrom);
  fn.addEnvironment(variables.mailTo, mailTo);
}

/** Lets a function read how groups log in at their receivers. Operators make the secrets. */
export function grantSftpLogins(fn: LambdaFunction): void {
  const { partition, region, account } = Stack.of(fn);
  const secretsArn = (at: { partition: string; region: string; account: string }) =>
    `arn:${at.partition}:secretsmanager:${at.region}:${at.account}:secret:${secretNames.sftpLogin("*")}`;
  fn.addToRolePolicy(
    new PolicyStatement({
      actions: ["secretsmanager:GetSecretValue"],
      resources: [secretsArn({ partition, region, account })],
    }),
  );
  const named = { partition: "<AWS::Partition>", region: "<AWS::Region>", account: "<AWS::AccountId>" };
  Validations.of(fn.role ?? fn).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${secretsArn(named)}]`,
    reason: "Groups, whose names the secrets bear, are configured at run time.",
  });
}
