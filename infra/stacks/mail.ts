import { Stack, type StackProps } from "aws-cdk-lib";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import {
  ConfigurationSet,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  ReceiptRuleSet,
  SuppressionReasons,
} from "aws-cdk-lib/aws-ses";
import { S3 } from "aws-cdk-lib/aws-ses-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import { alarmTopicName, mailConfigurationSetName, receiptRuleSetName } from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";
import type { StorageStack } from "./storage.ts";

/**
 * The resources in SES: the identity of the sender, unless the account already has it, and the mailbox, if
 * there is one.
 */
export class MailStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { storage: StorageStack }) {
    super(scope, id, props);
    const { mailFrom, senderIdentity, harvestMailbox } = deploymentSettings(this.node);
    if (senderIdentity === "address") this.verifySender(Identity.email(mailFrom));
    else if (senderIdentity === "domain") {
      this.verifySender(Identity.domain(mailFrom.split("@").at(-1) ?? ""));
    }
    if (harvestMailbox !== "") this.receiveMail(harvestMailbox, props.storage);
  }

  /**
   * Verifies the sender. Notifications of bounces, complaints and rejections are also sent to the recipients
   * of alarms. SES stops sending to an address that bounced or complained.
   * @see https://docs.aws.amazon.com/ses/latest/dg/sending-email-suppression-list-config-level.html
   */
  private verifySender(identity: Identity): void {
    const configurationSet = new ConfigurationSet(this, "Mails", {
      configurationSetName: mailConfigurationSetName,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    const topicArn = this.formatArn({ service: "sns", resource: alarmTopicName });
    configurationSet.addEventDestination("ToOperators", {
      destination: EventDestination.snsTopic(Topic.fromTopicArn(this, "Alarms", topicArn)),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    });
    new EmailIdentity(this, "Sender", { identity, configurationSet });
  }

  /**
   * Makes SES store the mails for the mailbox in its bucket. The operator must set the domain's MX record and
   * activate the rule set, because an account has only one active set.
   * @see https://docs.aws.amazon.com/ses/latest/dg/receiving-email.html
   */
  private receiveMail(mailbox: string, { receivedMail }: StorageStack): void {
    const rules = new ReceiptRuleSet(this, "ReceiptRules", { receiptRuleSetName });
    rules.addRule("ToBucket", {
      recipients: [mailbox],
      // The types of the bucket and of the action's parameter differ only in optional fields.
      actions: [new S3({ bucket: receivedMail.bucket as IBucket })],
      scanEnabled: true,
    });
  }
}
