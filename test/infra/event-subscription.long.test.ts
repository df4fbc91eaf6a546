import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { expect, it } from "vitest";
import { Subscription } from "../../docs/event-subscription.example.ts";
import { eventBusName, eventSource } from "../../shared/names.ts";
import { eventTypes } from "../../shared/records/events/event-types.ts";

it("the documented subscription → a rule on the bus, and a queue that takes its events alone", () => {
  const template = Template.fromStack(
    new Subscription(new App({ analyticsReporting: false }), "subscription"),
  );
  const [rule] = Object.values(template.findResources("AWS::Events::Rule"));
  expect(rule?.Properties).toMatchObject({
    EventBusName: eventBusName,
    EventPattern: { source: [eventSource] },
    State: "ENABLED",
    Targets: [{ Arn: expect.anything(), DeadLetterConfig: { Arn: expect.anything() } }],
  });
  const types: string[] = rule?.Properties.EventPattern["detail-type"] ?? [];
  expect(types).toEqual(["record.delivered", "record.refused"]);
  for (const type of types) expect(eventTypes).toHaveProperty([type]);
  const policies = Object.values(template.findResources("AWS::SQS::QueuePolicy"));
  const statements = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  expect(statements).toContainEqual(
    expect.objectContaining({
      Effect: "Allow",
      Principal: { Service: "events.amazonaws.com" },
      Condition: { ArnEquals: { "aws:SourceArn": expect.anything() } },
    }),
  );
});
