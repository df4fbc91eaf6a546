import { Stack } from "aws-cdk-lib";
import {
  Alarm,
  type CfnAlarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import { alarmTopicName } from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";

interface RunbookAlarmProps {
  metric: IMetric;
  /** The lowest value that raises the alarm. */
  threshold: number;
  /**
   * Raises the alarm instead at the end of a calendar day whose value is below the threshold or absent,
   * because an expected event did not occur on that day. A sliding window would also raise the alarm if the
   * event of a day is later than on the day before.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation-window.html
   */
  deadMan?: { timeZone: string };
  /** The cause of the alarm, in a sentence. */
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
      comparisonOperator: props.deadMan
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: props.deadMan ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `${props.summary} What to do: ${runbookUrl}#${props.runbook}`,
    });
    if (props.deadMan !== undefined) {
      const resource = alarm.node.defaultChild as CfnAlarm;
      resource.evaluationWindow = { wallClockWindow: { timezone: props.deadMan.timeZone } };
      // cfn-lint 1.51 does not know this window, which CloudFormation has supported since August 2026.
      resource.addMetadata("cfn-lint", { config: { ignore_checks: ["E3002"] } });
    }
    const topicArn = Stack.of(this).formatArn({ service: "sns", resource: alarmTopicName });
    alarm.addAlarmAction(new SnsAction(Topic.fromTopicArn(this, "Topic", topicArn)));
  }
}
