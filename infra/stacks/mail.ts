import { Stack, type StackProps } from "aws-cdk-lib";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { EmailIdentity, Identity, ReceiptRuleSet } from "aws-cdk-lib/aws-ses";
import { S3 } from "aws-cdk-lib/aws-ses-actions";
import type { Construct } from "constructs";
import { receiptRuleSetName } from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";
import type { StorageStack } from "./storage.ts";

/** What SES has of ours: the identity of the sender, unless the account has it already, and the mailbox, if there is one. */
export class MailStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { storage: StorageStack }) {
    super(scope, id, props);
    const { mailFrom, senderIdentity, harvestMailbox } = deploymentSettings(this.node);
    if (senderIdentity === "address") {
      new EmailIdentity(this, "Sender", { identity: Identity.email(mailFrom) });
    } else if (senderIdentity === "domain") {
      new EmailIdentity(this, "Sender", { identity: Identity.domain(mailFrom.split("@").at(-1) ?? "") });
    }
    if (harvestMailbox !== "") this.receiveMail(harvestMailbox, props.storage);
  }

  /**
   * SES puts the mails for the mailbox into its bucket. The operator sets the domain's MX record and activates the rule
   * set: an account has one active set.
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
