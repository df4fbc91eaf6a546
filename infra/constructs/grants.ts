import { Stack } from "aws-cdk-lib";
import type { EventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import {
  allQueuesPattern,
  deadLetterQueuePattern,
  mailConfigurationSetName,
  recordPrefixes,
  secretNames,
  variables,
} from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";
import { permitPattern } from "./pattern-permission.ts";
import type { StoredObjects } from "./stored-objects.ts";
import type { StoredTable } from "./stored-table.ts";

/** Permits a function to publish on the bus, and sets its environment variable. */
export function grantPublish(bus: EventBus, fn: LambdaFunction): void {
  bus.grantPutEventsTo(fn);
  fn.addEnvironment(variables.eventBus, bus.eventBusName);
}

/**
 * Permits a function to store mails and, if the deployment has a sender, to send them. Sets the variables for
 * the sender and the recipients.
 */
export function grantMail(
  {
    sentMails,
    recordObjects,
    leases,
  }: { sentMails: StoredTable; recordObjects: StoredObjects; leases: StoredTable },
  fn: LambdaFunction,
): void {
  const { mailFrom, mailTo } = deploymentSettings(fn.node);
  if (mailFrom !== "") grantSending(mailFrom, fn);
  sentMails.grant(fn, "get", "update");
  recordObjects.grantPut(fn, recordPrefixes.mails);
  leases.grant(fn, "get", "put", "delete");
  fn.addEnvironment(variables.mailFrom, mailFrom);
  fn.addEnvironment(variables.mailTo, mailTo.join(","));
}

/**
 * Permits a function to send mails. The resource is any identity, because the sender's identity may be its
 * address or its domain, and because in the sandbox SES requires this permission for the identity of each
 * recipient.
 * @see https://docs.aws.amazon.com/ses/latest/dg/control-user-access.html
 */
function grantSending(mailFrom: string, fn: LambdaFunction): void {
  const actions = ["ses:SendEmail", "ses:SendRawEmail"];
  const conditions = { StringEquals: { "ses:FromAddress": mailFrom } };
  permitPattern(fn, {
    actions,
    resource: ({ partition, region, account }) => `arn:${partition}:ses:${region}:${account}:identity/*`,
    reason: "The condition allows one sender.",
    conditions,
  });
  // SES also requires this permission for the configuration set of the identity.
  const configurationSet = Stack.of(fn).formatArn({
    service: "ses",
    resource: "configuration-set",
    resourceName: mailConfigurationSetName,
  });
  fn.addToRolePolicy(new PolicyStatement({ actions, resources: [configurationSet], conditions }));
}

/** Permits a function to read the folders of sources, which are objects in buckets of other owners. */
export function grantFolders(fn: LambdaFunction): void {
  for (const bucket of deploymentSettings(fn.node).folderBuckets) {
    const bucketArn = (partition: string) => `arn:${partition}:s3:::${bucket}`;
    fn.addToRolePolicy(
      new PolicyStatement({ actions: ["s3:ListBucket"], resources: [bucketArn(Stack.of(fn).partition)] }),
    );
    permitPattern(fn, {
      actions: ["s3:GetObject"],
      resource: ({ partition }) => `${bucketArn(partition)}/*`,
      reason: "The prefixes of folders are configured at run time.",
    });
  }
}

/** Permits a function to read the SFTP logins of groups. Operators create the secrets. */
export function grantSftpLogins(fn: LambdaFunction): void {
  permitPattern(fn, {
    actions: ["secretsmanager:GetSecretValue"],
    resource: ({ partition, region, account }) =>
      `arn:${partition}:secretsmanager:${region}:${account}:secret:${secretNames.sftpLogin("*")}`,
    reason: "Secrets are named after groups, which are configured at run time.",
  });
}

/** Permits a function to read one secret. Operators create it. */
export function grantSecret(fn: LambdaFunction, secretName: string): void {
  const { partition, region, account } = Stack.of(fn);
  // Secrets Manager appends six random characters to the name.
  const resource = `arn:${partition}:secretsmanager:${region}:${account}:secret:${secretName}-??????`;
  fn.addToRolePolicy(
    new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [resource] }),
  );
}

/** Permits a function to count the messages in all dead-letter queues. */
export function grantDeadLetterCounts(fn: LambdaFunction): void {
  permitPattern(fn, {
    actions: ["sqs:GetQueueAttributes"],
    resource: ({ partition, region, account }) =>
      `arn:${partition}:sqs:${region}:${account}:${deadLetterQueuePattern}`,
    reason: "A list of all dead-letter queues would not fit into the policy.",
  });
}

/** Permits a function to send quarantined messages to their queues again. */
export function grantRequeue(fn: LambdaFunction): void {
  permitPattern(fn, {
    actions: ["sqs:SendMessage"],
    resource: ({ partition, region, account }) =>
      `arn:${partition}:sqs:${region}:${account}:${allQueuesPattern}`,
    reason:
      "A quarantined message may come from any queue, and a list of all queues would not fit into the policy.",
  });
}
