import { PolicyStatement, type Role } from "aws-cdk-lib/aws-iam";
import type { ScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Construct } from "constructs";
import { variables } from "../../shared/names.ts";
import type { DeployedFunction } from "./deployed-function.ts";
import { permitPattern } from "./pattern-permission.ts";
import type { ScheduleDeadLetters } from "./schedule-dead-letters.ts";
import type { WorkQueue } from "./work-queue.ts";

interface OneTimeSchedulesProps {
  group: ScheduleGroup;
  /** The literal name of the group. `ScheduleGroup` has only a token, which is resolved at deployment. */
  groupName: string;
  /** The prefix of the schedules' names. */
  prefix: string;
  /** The queues that receive their messages. */
  queues: readonly [WorkQueue, ...WorkQueue[]];
  /** The variable for the ARN of the first queue. */
  queueArnVariable: keyof typeof variables;
  /** Receives undelivered messages. */
  deadLetters: ScheduleDeadLetters;
  /** Why the permission has a wildcard: after what a schedule is named, in a sentence. */
  wildcardReason: string;
}

/** Schedules that functions create at run time. Each sends one message to a queue. */
export class OneTimeSchedules extends Construct {
  private readonly props: OneTimeSchedulesProps;
  private readonly role: Role;

  constructor(scope: Construct, id: string, props: OneTimeSchedulesProps) {
    super(scope, id);
    this.props = props;
    const { deadLetters, queues } = props;
    const resources = queues.map(({ queue }) => queue.queueArn);
    this.role = deadLetters.role(this, { action: "sqs:SendMessage", resources });
  }

  /** Permits a function to create such schedules, and sets its environment variables. */
  grantCreate(fn: DeployedFunction): void {
    const { group, groupName, prefix, queues, queueArnVariable, deadLetters, wildcardReason } = this.props;
    permitPattern(fn, {
      actions: ["scheduler:CreateSchedule"],
      resource: ({ partition, region, account }) =>
        `arn:${partition}:scheduler:${region}:${account}:schedule/${groupName}/${prefix}-*`,
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
    fn.addEnvironment(variables[queueArnVariable], queues[0].queue.queueArn);
  }
}
