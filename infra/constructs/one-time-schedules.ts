import { Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import type { ScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";
import { variables } from "../../shared/names.ts";
import type { DeployedFunction } from "./deployed-function.ts";
import type { ScheduleDeadLetters } from "./schedule-dead-letters.ts";
import type { WorkQueue } from "./work-queue.ts";

interface OneTimeSchedulesProps {
  group: ScheduleGroup;
  /** The group's name as it is written: the group itself knows it only when it is deployed. */
  groupName: string;
  /** What the names of the schedules begin with. */
  prefix: string;
  /** Where they send their messages, and the variable that tells it. */
  queue: WorkQueue;
  queueArnVariable: keyof typeof variables;
  /** Where they put what they cannot send. */
  deadLetters: ScheduleDeadLetters;
  /** After what a schedule is named, in a sentence. */
  wildcardReason: string;
}

/** Schedules that functions make at run time, each of which sends one message to a queue. */
export class OneTimeSchedules extends Construct {
  private readonly props: OneTimeSchedulesProps;
  private readonly role: Role;

  constructor(scope: Construct, id: string, props: OneTimeSchedulesProps) {
    super(scope, id);
    this.props = props;
    const { deadLetters, queue } = props;
    this.role = deadLetters.role(this, { action: "sqs:SendMessage", resource: queue.queue.queueArn });
  }

  /** Lets a function make such schedules, and tells it how. */
  grantCreate(fn: DeployedFunction): void {
    const { group, groupName, prefix, queue, queueArnVariable, deadLetters, wildcardReason } = this.props;
    const resourceName = `${groupName}/${prefix}-*`;
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["scheduler:CreateSchedule"],
        resources: [Stack.of(this).formatArn({ service: "scheduler", resource: "schedule", resourceName })],
      }),
    );
    Validations.of(fn.role ?? fn).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${resourceName}]`,
      reason: wildcardReason,
    });
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["iam:PassRole"],
        resources: [this.role.roleArn],
        conditions: { StringEquals: { "iam:PassedToService": "scheduler.amazonaws.com" } },
      }),
    );
    fn.addEnvironment(variables.scheduleGroup, group.scheduleGroupName);
    fn.addEnvironment(variables.scheduleRole, this.role.roleArn);
    fn.addEnvironment(variables.scheduleDeadLetterQueueArn, deadLetters.queue.queueArn);
    fn.addEnvironment(variables[queueArnVariable], queue.queue.queueArn);
  }
}
