import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { BlockPublicAccess, Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { variables } from "../../shared/names.ts";

interface StoredObjectsProps {
  /** Buckets share one name space with the whole world. */
  bucketName: (account: string, region: string) => string;
  variable: keyof typeof variables;
  /** Objects are deleted after this time; kept for good when absent. */
  retention?: Duration;
  /** Those whose keys begin so are deleted after their time. */
  retentionByPrefix?: { prefix: string; retention: Duration }[];
}

/** As cdk-nag's findings write them. */
const placeholders = { partition: "<AWS::Partition>", account: "<AWS::AccountId>", region: "<AWS::Region>" };

/** How long an object that was overwritten or deleted by mistake can be brought back. */
const noncurrentRetention = Duration.days(90);

/** A private bucket whose grants both permit and name it to the function. Nothing deletes it but a person. */
export class StoredObjects extends Construct {
  readonly bucket: Bucket;
  private readonly variable: string;
  private readonly bucketName: StoredObjectsProps["bucketName"];

  constructor(scope: Construct, id: string, props: StoredObjectsProps) {
    super(scope, id);
    this.variable = variables[props.variable];
    this.bucketName = props.bucketName;
    const { account, region } = Stack.of(this);
    this.bucket = new Bucket(this, "Bucket", {
      bucketName: props.bucketName(account, region),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: props.retention === undefined,
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(7),
          ...(props.retention
            ? { expiration: props.retention }
            : { noncurrentVersionExpiration: noncurrentRetention, expiredObjectDeleteMarker: true }),
        },
        ...(props.retentionByPrefix ?? []).map(({ prefix, retention }) => ({
          prefix,
          expiration: retention,
        })),
      ],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this.bucket).acknowledge({
      id: "AwsSolutions::AwsSolutions-S1",
      reason:
        "Private, and read by functions alone: a trail of data events shows who read what, where that is asked for.",
    });
  }

  /** @param under the beginning of the keys, all when absent; so below */
  grantRead(fn: LambdaFunction, under = ""): void {
    this.grant(fn, "s3:GetObject", under);
  }

  grantPut(fn: LambdaFunction, under = ""): void {
    this.grant(fn, "s3:PutObject", under);
  }

  /** Where operators see an object in the AWS console; its key is appended. */
  consoleUrl(): string {
    return `https://console.aws.amazon.com/s3/object/${this.bucket.bucketName}?prefix=`;
  }

  /** Lets a function see which objects there are. */
  grantList(fn: LambdaFunction): void {
    const { partition, account, region } = Stack.of(fn);
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: ["s3:ListBucket"],
        resources: [`arn:${partition}:s3:::${this.bucketName(account, region)}`],
      }),
    );
    fn.addEnvironment(this.variable, this.bucket.bucketName);
  }

  private grant(fn: LambdaFunction, action: string, under: string): void {
    const { partition, account, region } = Stack.of(fn);
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: [action],
        resources: [this.objectsArn({ partition, account, region }, under)],
      }),
    );
    Validations.of(fn.role ?? fn).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[Resource::${this.objectsArn(placeholders, under)}]`,
      reason: "Objects have keys that are known at run time only; the bucket holds one kind of object.",
    });
    fn.addEnvironment(this.variable, this.bucket.bucketName);
  }

  /** Built from the names, not from the bucket: so the finding below can be named. */
  private objectsArn({ partition, account, region }: typeof placeholders, under: string): string {
    return `arn:${partition}:s3:::${this.bucketName(account, region)}/${under}*`;
  }
}
