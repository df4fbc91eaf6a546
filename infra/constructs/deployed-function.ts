import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";

interface DeployedFunctionProps {
  functionName: string;
  /** The file's name in `functions/`, without its ending. */
  file: string;
  description: string;
  timeout: Duration;
  memoryMiB?: number;
  environment?: Record<string, string>;
}

/** The context key under which the app tells where the bundles are. */
export const bundlesContext = "ingather:bundles";

/** A function of `functions/`, with a role and a log of its own. It may do nothing but write that log until it is granted more. */
export class DeployedFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: DeployedFunctionProps) {
    const parts = new Construct(scope, `${id}Parts`);
    const logGroup = new LogGroup(parts, "Log", {
      logGroupName: `/aws/lambda/${props.functionName}`,
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
      functionName: props.functionName,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(scope.node.getContext(bundlesContext)),
      handler: `${props.file}.handler`,
      timeout: props.timeout,
      memorySize: props.memoryMiB ?? 512,
      role,
      logGroup,
      environment: { NODE_OPTIONS: "--enable-source-maps", ...props.environment },
    });
  }
}

/** The timeouts of functions, by what they wait for. */
export const timeouts = {
  /** An answer to somebody who waits. */
  api: Duration.seconds(10),
  /** The longest that API Gateway waits, but for the time it needs itself: a configuration taken over. */
  longApi: Duration.seconds(29),
  /** One message read and decided. */
  reader: Duration.minutes(1),
  /** A run opened: some calls for each of up to thousands of sources. */
  start: Duration.minutes(5),
  /** Hosts that may be slow: several exchanges of up to 90 s. */
  gate: Duration.minutes(5),
  /** All records of a run. */
  stage: Duration.minutes(10),
};
