import type { EventBus } from "aws-cdk-lib/aws-events";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { EmailIdentity } from "aws-cdk-lib/aws-ses";
import { variables } from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";

/** Lets a function publish on the bus, and names the bus to it. */
export function grantPublish(bus: EventBus, fn: LambdaFunction): void {
  bus.grantPutEventsTo(fn);
  fn.addEnvironment(variables.eventBus, bus.eventBusName);
}

/** Lets a function send mails, and tells it from whom and to whom. */
export function grantMail(sender: EmailIdentity, fn: LambdaFunction): void {
  const { mailFrom, mailTo } = deploymentSettings(fn.node);
  sender.grant(fn, "ses:SendEmail", "ses:SendRawEmail");
  fn.addEnvironment(variables.mailFrom, mailFrom);
  fn.addEnvironment(variables.mailTo, mailTo);
}
