import { CfnResource } from "aws-cdk-lib";
import type { EventBus } from "aws-cdk-lib/aws-events";
import { Construct } from "constructs";
import { eventSource } from "../../shared/names.ts";

/** The events by which others add, change and delete sources. */
export const sourceEventTypes = ["source.new", "source.opened", "source.deleted"];

interface SourcePublishersProps {
  bus: EventBus;
  /** ARNs of roles and users. */
  publishers: readonly string[];
}

/**
 * The bus refuses events about sources by all but Ingather and the publishers, whatever their own policies say.
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
      // CfnEventBusPolicy would warn of a deprecated property that it sets itself.
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
    // Publishers of other accounts need it, too.
    if (!isNone)
      add("PublishersAllowed", { Effect: "Allow", Principal: { AWS: publishers }, Condition: ofOthers });
  }
}
