import { CfnResource } from "aws-cdk-lib";
import type { EventBus } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";
import { eventSource } from "../../shared/names.ts";

/** The events by which other publishers add, change and delete sources. */
export const sourceEventTypes = ["source.new", "source.opened", "source.deleted"];

interface SourcePublishersProps {
  bus: EventBus;
  /** The ARNs of roles and users. */
  publishers: readonly string[];
}

/**
 * Makes the bus refuse events about sources, except from Ingather and the publishers, whatever the policies
 * of other callers permit.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-conditions.html
 */
export class SourcePublishers extends Construct {
  constructor(scope: Construct, id: string, { bus, publishers }: SourcePublishersProps) {
    super(scope, id);
    const ofOthers = {
      "ForAnyValue:StringEquals": { "events:detail-type": sourceEventTypes },
      "ForAnyValue:StringNotEquals": { "events:source": eventSource },
    };
    const may = { Action: "events:PutEvents", Resource: bus.eventBusArn };
    const add = (statementId: string, statement: object) =>
      // CfnEventBusPolicy would print a warning about a deprecated property that it sets itself.
      new CfnResource(this, statementId, {
        type: "AWS::Events::EventBusPolicy",
        properties: {
          EventBusName: bus.eventBusName,
          StatementId: statementId,
          Statement: { ...may, ...statement },
        },
      });
    const isNone = publishers.length === 0;
    const others = isNone ? {} : { ArnNotLike: { "aws:PrincipalArn": publishers } };
    add("OtherPublishersRefused", { Effect: "Deny", Principal: "*", Condition: { ...ofOthers, ...others } });
    // Publishers of other accounts also need this statement.
    if (!isNone)
      add("PublishersAllowed", { Effect: "Allow", Principal: { AWS: publishers }, Condition: ofOthers });
  }
}
