import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AssetHashType, Duration, RemovalPolicy } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type CfnFunction,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { deployedName, prefix, variables } from "../../shared/names.ts";
import { recursionMetadata } from "../invocation-graph.ts";

/**
 * Whether Lambda stops a chain of messages that has passed a function about 16 times. Each function in a loop
 * of the templates must set this; `recursionProblems` reports functions that do not.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export interface Recursion {
  loop: RecursiveLoop;
  /** What ends an allowed loop or, for a stopped loop, why sixteen passes are enough. */
  because: string;
}

interface DeployedFunctionProps {
  /** The name of the file in `functions/`, without its extension. It determines the name of the function. */
  file: string;
  description: string;
  timeout: Duration;
  memoryMiB?: number;
  environment?: Record<string, string>;
  /** Absent if the function is not in a loop. */
  recursion?: Recursion | undefined;
}

/** Allows a loop. @param until what ends the loop, in a sentence */
export function allowLoop(until: string): Recursion {
  return { loop: RecursiveLoop.ALLOW, because: until };
}

/** Lets Lambda stop a loop. @param since why a chain passes the function only a few times, in a sentence */
export function stopLoop(since: string): Recursion {
  return { loop: RecursiveLoop.TERMINATE, because: since };
}

/** The context key of the folder with the bundles. */
export const bundlesContext = "bundles";

/** Returns the name of the log group of a deployed function. */
export function logGroupName(functionName: string): string {
  return `/aws/lambda/${functionName}`;
}

/** A function of `functions/`, with a separate role and log. Without grants, it may only write to its log. */
export class DeployedFunction extends LambdaFunction {
  /** The name of the function, which, unlike `functionName`, is known when the template is written. */
  readonly deployedName: string;
  readonly description: string;

  constructor(scope: Construct, id: string, props: DeployedFunctionProps) {
    const functionName = deployedName(props.file);
    const parts = new Construct(scope, `${id}Parts`);
    const logGroup = new LogGroup(parts, "Log", {
      logGroupName: logGroupName(functionName),
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(parts, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    role.addToPolicy(
      new PolicyStatement({
        actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
        resources: [logGroup.logGroupArn],
      }),
    );
    super(scope, id, {
      functionName,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundledCode(bundleFolder(scope.node.getContext(bundlesContext), props.file)),
      handler: `${props.file}.handler`,
      timeout: props.timeout,
      memorySize: props.memoryMiB ?? 512,
      role,
      logGroup,
      environment: { [variables.prefix]: prefix, ...props.environment },
      ...(props.recursion && { recursiveLoop: props.recursion.loop }),
    });
    if (props.recursion !== undefined) {
      (this.node.defaultChild as CfnFunction).addMetadata(recursionMetadata, props.recursion.because);
    }
    this.deployedName = functionName;
    this.description = props.description;
  }
}

/** Returns the folder of this function if bundles are apart, otherwise the folder of all functions. */
function bundleFolder(bundles: string, file: string): string {
  const own = join(bundles, file);
  return existsSync(own) ? own : bundles;
}

/** The digests by folder. If bundles are not apart, all functions share one folder. */
const digests = new Map<string, string>();

/**
 * Returns the code of a folder, named by its content. The CDK's own digests would write files to the home
 * folder of the user.
 */
function bundledCode(folder: string): Code {
  const assetHash = digests.get(folder) ?? digestOfFiles(folder);
  digests.set(folder, assetHash);
  return Code.fromAsset(folder, { assetHashType: AssetHashType.CUSTOM, assetHash });
}

function digestOfFiles(folder: string): string {
  const hash = createHash("sha256");
  for (const file of readdirSync(folder).sort())
    hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest("hex");
}

/**
 * The memory with which a function has a whole processor. With 512 MiB, it has 0.29 of one. Functions that
 * work for minutes were measured with a whole processor.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const wholeProcessorMiB = 1769;

/** The timeouts of functions, by their work. */
export const timeouts = {
  /** An API request, for which a client waits. */
  api: Duration.seconds(10),
  /** An import of a configuration: API Gateway's limit of 30 s, minus its own overhead. */
  longApi: Duration.seconds(29),
  /** A single message. */
  reader: Duration.minutes(1),
  /** The start of a run: several calls for each source, of which there may be thousands. */
  start: Duration.minutes(5),
  /** Several exchanges with slow hosts, of up to 90 s each. */
  gate: Duration.minutes(5),
  /** A delivery stage, which processes all records of a run. */
  stage: Duration.minutes(10),
  /** The files of a capture, copied from bucket to bucket. This is Lambda's maximum. */
  longStage: Duration.minutes(15),
};
