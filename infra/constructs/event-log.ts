import { ArnFormat, RemovalPolicy, Stack } from "aws-cdk-lib";
import { type EventBus, Rule } from "aws-cdk-lib/aws-events";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup, ResourcePolicy, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { eventLogName, variables } from "../../shared/names.ts";

/**
 * A log of all events of the bus, for people. EventBridge writes to it without a function.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html#eb-cloudwatchlogs-permissions
 */
export class EventLog extends Construct {
  private readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, { bus }: { bus: EventBus }) {
    super(scope, id);
    this.logGroup = new LogGroup(this, "Log", {
      logGroupName: eventLogName,
      retention: RetentionDays.TWO_WEEKS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new ResourcePolicy(this, "Policy", {
      resourcePolicyName: eventLogName.replaceAll("/", "-").slice(1),
      policyStatements: [
        new PolicyStatement({
          principals: [
            new ServicePrincipal("events.amazonaws.com"),
            new ServicePrincipal("delivery.logs.amazonaws.com"),
          ],
          actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
          resources: [this.logGroup.logGroupArn],
        }),
      ],
    });
    const { account } = Stack.of(this);
    new Rule(this, "All", {
      eventBus: bus,
      description: "Logs all events",
      eventPattern: { account: [account] },
      // The CDK's own target would set the policy by an additional function.
      targets: [{ bind: () => ({ arn: this.targetArn() }) }],
    });
  }

  /** Permits a function to read the log, and sets its environment variable. */
  grantRead(fn: LambdaFunction): void {
    fn.addToRolePolicy(
      new PolicyStatement({ actions: ["logs:FilterLogEvents"], resources: [this.logGroup.logGroupArn] }),
    );
    fn.addEnvironment(variables.eventLog, eventLogName);
  }

  /** Returns the ARN of the log group without the `:*` at its end, as a target requires. */
  private targetArn(): string {
    return Stack.of(this).formatArn({
      service: "logs",
      resource: "log-group",
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      resourceName: eventLogName,
    });
  }
}
