import { Stack, type StackProps } from "aws-cdk-lib";
import { EventBus, Rule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

/** A queue of yours that gets what is delivered and refused. */
export class Subscription extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const eventBus = EventBus.fromEventBusName(this, "Ingather", "ingather");
    const undelivered = new Queue(this, "Undelivered", { enforceSSL: true });
    const queue = new Queue(this, "Records", { enforceSSL: true });
    new Rule(this, "Subscribe", {
      eventBus,
      eventPattern: { source: ["ingather"], detailType: ["record.delivered", "record.refused"] },
      targets: [new SqsQueue(queue, { deadLetterQueue: undelivered })],
    });
  }
}
