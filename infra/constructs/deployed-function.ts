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
 * Whether Lambda stops a chain of messages that has passed a function about 16 times. A function in a loop of the
 * templates decides it; `recursionProblems` names those that do not.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export interface Recursion {
  loop: RecursiveLoop;
  /** What ends an allowed loop, or why sixteen passes are enough for another one. */
  because: string;
}

interface DeployedFunctionProps {
  /** The file's name in `functions/`, without its ending; the function is named after it. */
  file: string;
  description: string;
  timeout: Duration;
  memoryMiB?: number;
  environment?: Record<string, string>;
  /** Absent: the function is in no loop. */
  recursion?: Recursion | undefined;
}

/** @param until what ends the loop, in a sentence */
export function allowLoop(until: string): Recursion {
  return { loop: RecursiveLoop.ALLOW, because: until };
}

/** @param since why a chain passes the function only a few times, in a sentence */
export function stopLoop(since: string): Recursion {
  return { loop: RecursiveLoop.TERMINATE, because: since };
}

/** The context key of the folder that holds the bundles. */
export const bundlesContext = "bundles";

/** The log of a deployed function. */
export function logGroupName(functionName: string): string {
  return `/aws/lambda/${functionName}`;
}

/** A function of `functions/`, with its own role and log. Without grants, it may only write its log. */
export class DeployedFunction extends LambdaFunction {
  /** Known when the template is written, other than `functionName`. */
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

/** The folder of this function alone, where bundles are apart; else that of all. */
function bundleFolder(bundles: string, file: string): string {
  const own = join(bundles, file);
  return existsSync(own) ? own : bundles;
}

/** By folder: where bundles are not apart, all functions share one. */
const digests = new Map<string, string>();

/** Named by its content. The CDK's own digests would leave files in the home folder of whoever starts a synthesis. */
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
 * The memory with which a function has a whole processor: of 512 MiB it has 0.29 of one. Work that takes minutes was
 * measured with one.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const wholeProcessorMiB = 1769;

/** The timeouts of functions, by their work. */
export const timeouts = {
  /** An API request: a client waits. */
  api: Duration.seconds(10),
  /** An import of a configuration: API Gateway's limit of 30 s, less its own overhead. */
  longApi: Duration.seconds(29),
  /** One message. */
  reader: Duration.minutes(1),
  /** The start of a run: several calls for each of up to thousands of sources. */
  start: Duration.minutes(5),
  /** Several exchanges of up to 90 s with slow hosts. */
  gate: Duration.minutes(5),
  /** A delivery stage: all records of a run. */
  stage: Duration.minutes(10),
  /** The files of a capture, from bucket to bucket: the most that Lambda has. */
  longStage: Duration.minutes(15),
};
