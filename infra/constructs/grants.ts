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

/** Lets a function publish on the bus, and sets its environment variable. */
export function grantPublish(bus: EventBus, fn: LambdaFunction): void {
  bus.grantPutEventsTo(fn);
  fn.addEnvironment(variables.eventBus, bus.eventBusName);
}

/** Lets a function send mails as our sender, if there is one, and store them. Sets the variables for sender and receivers. */
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
 * The resource is any identity: the sender's may be its address or its domain, and in the sandbox SES asks the same
 * permission for each recipient's.
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
  // SES also asks for the configuration set of the identity.
  const configurationSet = Stack.of(fn).formatArn({
    service: "ses",
    resource: "configuration-set",
    resourceName: mailConfigurationSetName,
  });
  fn.addToRolePolicy(new PolicyStatement({ actions, resources: [configurationSet], conditions }));
}

/** Lets a function read the folders of sources: objects of buckets that are not ours. */
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

/** Lets a function read the SFTP logins of groups. Operators create the secrets. */
export function grantSftpLogins(fn: LambdaFunction): void {
  permitPattern(fn, {
    actions: ["secretsmanager:GetSecretValue"],
    resource: ({ partition, region, account }) =>
      `arn:${partition}:secretsmanager:${region}:${account}:secret:${secretNames.sftpLogin("*")}`,
    reason: "Secrets are named after groups, which are configured at run time.",
  });
}

/** Lets a function read one secret. Operators create it. */
export function grantSecret(fn: LambdaFunction, secretName: string): void {
  const { partition, region, account } = Stack.of(fn);
  // Secrets Manager appends six random characters to the name.
  const resource = `arn:${partition}:secretsmanager:${region}:${account}:secret:${secretName}-??????`;
  fn.addToRolePolicy(
    new PolicyStatement({ actions: ["secretsmanager:GetSecretValue"], resources: [resource] }),
  );
}

/** Lets a function count the messages in all dead-letter queues. */
export function grantDeadLetterCounts(fn: LambdaFunction): void {
  permitPattern(fn, {
    actions: ["sqs:GetQueueAttributes"],
    resource: ({ partition, region, account }) =>
      `arn:${partition}:sqs:${region}:${account}:${deadLetterQueuePattern}`,
    reason: "The dead-letter queues of all queues: a list of them would not fit into the policy.",
  });
}

/** Lets a function send messages to all queues again that were quarantined. */
export function grantRequeue(fn: LambdaFunction): void {
  permitPattern(fn, {
    actions: ["sqs:SendMessage"],
    resource: ({ partition, region, account }) =>
      `arn:${partition}:sqs:${region}:${account}:${allQueuesPattern}`,
    reason:
      "Any queue may have had a message that was quarantined: a list of them would not fit into the policy.",
  });
}
