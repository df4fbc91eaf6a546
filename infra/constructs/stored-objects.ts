import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { BlockPublicAccess, Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { bucketNames, variables } from "../../shared/names.ts";
import { permitPattern } from "./pattern-permission.ts";

interface StoredObjectsProps {
  /** The key of the bucket in `bucketNames`. */
  name: keyof typeof bucketNames;
  /** The time after which objects are deleted. Absent: they are never deleted. */
  retention?: Duration;
  /** The times after which objects with these key prefixes are deleted. */
  retentionByPrefix?: { prefix: string; retention: Duration }[];
}

/** How long an overwritten or deleted object can be restored. */
const noncurrentRetention = Duration.days(90);

/**
 * A private bucket. A grant permits access and sets the function's environment variable. Only a person can
 * delete the bucket.
 */
export class StoredObjects extends Construct {
  readonly bucket: Bucket;
  private readonly variable: string;
  private readonly bucketName: (account: string, region: string) => string;

  constructor(scope: Construct, id: string, props: StoredObjectsProps) {
    super(scope, id);
    this.variable = variables[`${props.name}Bucket`];
    this.bucketName = bucketNames[props.name];
    const { account, region } = Stack.of(this);
    this.bucket = new Bucket(this, "Bucket", {
      bucketName: this.bucketName(account, region),
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
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this.bucket).acknowledge({
      id: "AwsSolutions::AwsSolutions-S1",
      reason:
        "The bucket is private, and only functions read it. Operators can log its reads with a trail of data events.",
    });
  }

  /**
   * @param under the prefix of the permitted keys; default: all keys. The other grants have the same
   *   parameter.
   */
  grantRead(fn: LambdaFunction, under = ""): void {
    this.grant(fn, "s3:GetObject", under);
  }

  grantPut(fn: LambdaFunction, under = ""): void {
    this.grant(fn, "s3:PutObject", under);
  }

  grantDelete(fn: LambdaFunction, under = ""): void {
    this.grant(fn, "s3:DeleteObject", under);
  }

  /** The URL of an object in the AWS console, without its key. */
  consoleUrl(): string {
    return `https://console.aws.amazon.com/s3/object/${this.bucket.bucketName}?prefix=`;
  }

  /** Permits a function to list the objects. */
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
    permitPattern(fn, {
      actions: [action],
      resource: ({ partition, account, region }) =>
        `arn:${partition}:s3:::${this.bucketName(account, region)}/${under}*`,
      reason: "Keys are known only at run time. The bucket has only one kind of object.",
    });
    fn.addEnvironment(this.variable, this.bucket.bucketName);
  }
}
