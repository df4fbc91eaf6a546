import { ConfigError } from "../../../shared/core/errors.ts";
import { arnOf, type CloudLocation, queueUrlOf } from "../location.ts";
import type { Resource } from "./template.ts";

/** The values of `Ref` and `Fn::GetAtt` of a resource. */
export interface ResourceIdentity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface ResourceType {
  /**
   * The property with the physical name. Absent if the name is generated from the stack and the logical id.
   */
  readonly nameProperty?: string;
  readonly identify: (name: string, location: CloudLocation, id: IdentityParts) => ResourceIdentity;
  /** Why a supported resource has no effect on one machine. */
  readonly noEffect?: string;
}

interface IdentityParts {
  /** Returns the resolved value of a property as a string; "" if it is absent. */
  property(name: string): string;
}

const withoutAttributes: ResourceType["identify"] = (name) => ({ ref: name, attributes: {} });

function withArn(service: string, path = ""): ResourceType["identify"] {
  return (name, location) => ({
    ref: name,
    attributes: { Arn: arnOf(location, service, path + name) },
  });
}

/** The supported resource types. A template with any other type makes the start fail. */
export const resourceTypes: Readonly<Record<string, ResourceType>> = {
  "AWS::SQS::Queue": {
    nameProperty: "QueueName",
    identify: (name, location) => {
      const url = queueUrlOf(location, name);
      return {
        ref: url,
        attributes: { Arn: arnOf(location, "sqs", name), QueueName: name, QueueUrl: url },
      };
    },
  },
  "AWS::SQS::QueuePolicy": { identify: withoutAttributes },
  "AWS::DynamoDB::GlobalTable": { nameProperty: "TableName", identify: withArn("dynamodb", "table/") },
  "AWS::S3::Bucket": {
    nameProperty: "BucketName",
    identify: (name, { region }) => ({
      ref: name,
      attributes: {
        Arn: `arn:aws:s3:::${name}`,
        DomainName: `${name}.s3.amazonaws.com`,
        RegionalDomainName: `${name}.s3.${region}.amazonaws.com`,
      },
    }),
  },
  "AWS::S3::BucketPolicy": { identify: withoutAttributes },
  "AWS::Lambda::Function": {
    nameProperty: "FunctionName",
    identify: withArn("lambda", "function:"),
  },
  "AWS::Lambda::EventSourceMapping": { identify: withoutAttributes },
  "AWS::Lambda::Permission": { identify: withoutAttributes },
  "AWS::Lambda::EventInvokeConfig": { identify: withoutAttributes },
  "AWS::IAM::Role": {
    nameProperty: "RoleName",
    identify: (name, { account }) => ({
      ref: name,
      attributes: { Arn: `arn:aws:iam::${account}:role/${name}`, RoleId: name },
    }),
  },
  "AWS::IAM::Policy": { identify: withoutAttributes },
  "AWS::IAM::ManagedPolicy": { identify: withoutAttributes },
  "AWS::Scheduler::ScheduleGroup": {
    nameProperty: "Name",
    identify: withArn("scheduler", "schedule-group/"),
  },
  "AWS::Scheduler::Schedule": {
    nameProperty: "Name",
    identify: (name, location, { property }) => ({
      ref: name,
      attributes: {
        Arn: arnOf(location, "scheduler", `schedule/${property("GroupName") || "default"}/${name}`),
      },
    }),
  },
  "AWS::Events::EventBus": {
    nameProperty: "Name",
    identify: (name, location) => ({
      ref: name,
      attributes: { Arn: arnOf(location, "events", `event-bus/${name}`), Name: name },
    }),
  },
  "AWS::Events::EventBusPolicy": { identify: withoutAttributes },
  "AWS::Events::Rule": {
    nameProperty: "Name",
    identify: (name, location, { property }) => {
      const bus = property("EventBusName").split("/").at(-1) ?? "";
      const path = bus === "" || bus === "default" ? name : `${bus}/${name}`;
      return { ref: name, attributes: { Arn: arnOf(location, "events", `rule/${path}`) } };
    },
  },
  "AWS::SES::EmailIdentity": { nameProperty: "EmailIdentity", identify: withoutAttributes },
  "AWS::SES::ConfigurationSet": {
    nameProperty: "Name",
    noEffect: "local mails are files, so none bounces",
    identify: withoutAttributes,
  },
  "AWS::SES::ConfigurationSetEventDestination": {
    noEffect: "local mails are files, so none bounces",
    identify: withoutAttributes,
  },
  "AWS::SES::ReceiptRuleSet": {
    nameProperty: "RuleSetName",
    noEffect: "no mail is received locally; mails in its bucket are read",
    identify: withoutAttributes,
  },
  "AWS::SES::ReceiptRule": {
    noEffect: "no mail is received locally; mails in its bucket are read",
    identify: withoutAttributes,
  },
  "AWS::ApiGatewayV2::Api": {
    identify: (name, { apiUrl }) => ({ ref: name, attributes: { ApiId: name, ApiEndpoint: apiUrl } }),
  },
  "AWS::ApiGatewayV2::Route": { identify: withoutAttributes },
  "AWS::ApiGatewayV2::Integration": { identify: withoutAttributes },
  "AWS::ApiGatewayV2::Authorizer": {
    identify: (name) => ({ ref: name, attributes: { AuthorizerId: name } }),
  },
  "AWS::ApiGatewayV2::Stage": { nameProperty: "StageName", identify: withoutAttributes },
  "AWS::Cognito::UserPool": {
    noEffect: "tokens are signed locally, with a key in the state folder",
    identify: (name, location) => {
      const id = `${location.region}_${name}`;
      const host = `cognito-idp.${location.region}.amazonaws.com/${id}`;
      const Arn = arnOf(location, "cognito-idp", `userpool/${id}`);
      return {
        ref: id,
        attributes: { Arn, UserPoolId: id, ProviderName: host, ProviderURL: `https://${host}` },
      };
    },
  },
  "AWS::Cognito::UserPoolClient": {
    noEffect: "tokens are signed locally; its id is their audience",
    identify: (name) => ({ ref: name, attributes: { ClientId: name, Name: name } }),
  },
  "AWS::Cognito::UserPoolGroup": {
    nameProperty: "GroupName",
    noEffect: "a token has the groups with which it is issued",
    identify: withoutAttributes,
  },
  "AWS::Cognito::UserPoolDomain": {
    nameProperty: "Domain",
    noEffect: "the local issuer signs people in; functions get its address",
    identify: withoutAttributes,
  },
  "AWS::Cognito::UserPoolResourceServer": {
    nameProperty: "Identifier",
    noEffect: "a token has the scopes with which it is issued",
    identify: withoutAttributes,
  },
  "AWS::Events::Archive": {
    nameProperty: "ArchiveName",
    noEffect: "events.ndjson in the state folder is the archive",
    identify: withArn("events", "archive/"),
  },
  "AWS::CloudWatch::Alarm": {
    nameProperty: "AlarmName",
    noEffect: "there are no metrics; logs and dead-letter queues are local",
    identify: withArn("cloudwatch", "alarm:"),
  },
  "AWS::CloudWatch::Dashboard": { noEffect: "there are no metrics", identify: withoutAttributes },
  "AWS::Logs::QueryDefinition": {
    noEffect: "logs are files in the state folder",
    identify: withoutAttributes,
  },
  "AWS::Logs::MetricFilter": {
    noEffect: "there are no metrics; the log has the lines that it counts",
    identify: withoutAttributes,
  },
  "AWS::Logs::ResourcePolicy": { identify: withoutAttributes },
  "AWS::SNS::Topic": {
    nameProperty: "TopicName",
    noEffect: "only alarms publish to it, and there are none",
    identify: (name, location) => {
      const arn = arnOf(location, "sns", name);
      return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
    },
  },
  "AWS::SNS::TopicPolicy": { noEffect: "only alarms publish to topics", identify: withoutAttributes },
  "AWS::Logs::LogGroup": {
    nameProperty: "LogGroupName",
    noEffect: "logs are files in the state folder",
    identify: (name, location) => ({
      ref: name,
      attributes: { Arn: arnOf(location, "logs", `log-group:${name}:*`) },
    }),
  },
};

/** @throws ConfigError when the type is not in the table. */
export function resourceTypeOf(resource: Resource): ResourceType {
  const kind = resourceTypes[resource.type];
  if (kind !== undefined) return kind;
  throw new ConfigError(
    `${resource.logicalId} in stack ${resource.stack} is of type ${resource.type}, which the local cloud does not support. ` +
      "Add the type to local/cloud/cloudformation/resources.ts, either emulated or with the reason why it has no effect locally.",
  );
}
