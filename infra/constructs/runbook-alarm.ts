import { Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { alarmTopicName } from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";

export interface RunbookAlarmProps {
  metric: IMetric;
  /** The lowest value that raises the alarm. */
  threshold: number;
  /** The alarm is raised below the threshold instead, and without any data: what should have happened has not. */
  isDeadMan?: true;
  /** What has happened, in a sentence. */
  summary: string;
  /** The anchor of its entry in `docs/runbook.md`. */
  runbook: string;
}

/** An alarm whose text links to its runbook entry. Operators subscribe to the alarm topic. */
export class RunbookAlarm extends Construct {
  constructor(scope: Construct, id: string, props: RunbookAlarmProps) {
    super(scope, id);
    const { runbookUrl } = deploymentSettings(this.node);
    const alarm = new Alarm(this, "Alarm", {
      metric: props.metric,
      threshold: props.threshold,
      evaluationPeriods: 1,
      comparisonOperator: props.isDeadMan
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: props.isDeadMan ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `${props.summary} What to do: ${runbookUrl}#${props.runbook}`,
    });
    const topicArn = Stack.of(this).formatArn({ service: "sns", resource: alarmTopicName });
    alarm.addAlarmAction(new SnsAction(Topic.fromTopicArn(this, "Topic", topicArn)));
  }
}
