import { ArnFormat, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { CfnFunction } from "aws-cdk-lib/aws-lambda";
import { deploymentSettings } from "../settings.ts";
import type { DeployedFunction } from "./deployed-function.ts";
import { permitPattern } from "./pattern-permission.ts";

const interfaceActions = [
  "ec2:CreateNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:DeleteNetworkInterface",
  "ec2:AssignPrivateIpAddresses",
  "ec2:UnassignPrivateIpAddresses",
];

/**
 * If the deployment names subnets, puts a function into them that requests servers with private addresses.
 * All requests of the function then pass through these subnets, which need a route to the internet.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 */
export function joinPrivateNetwork(fn: DeployedFunction): void {
  const { vpcSubnets, vpcSecurityGroups } = deploymentSettings(fn.node);
  if (vpcSubnets.length === 0) return;
  const resource = fn.node.defaultChild as CfnFunction;
  resource.vpcConfig = { subnetIds: [...vpcSubnets], securityGroupIds: [...vpcSecurityGroups] };
  permitPattern(fn, {
    actions: interfaceActions,
    resource: () => "*",
    reason: "Lambda needs these permissions on all resources; they are denied to the function's own code.",
  });
  // Lambda needs these permissions. They are denied to the function's own code.
  fn.addToRolePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: interfaceActions,
      resources: ["*"],
      conditions: { ArnEquals: { "lambda:SourceFunctionArn": functionArn(fn) } },
    }),
  );
}

/**
 * Returns the ARN by the function's name. A reference to the function would create a cycle, because its
 * policy would depend on the function.
 */
function functionArn(fn: DeployedFunction): string {
  return Stack.of(fn).formatArn({
    service: "lambda",
    resource: "function",
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    resourceName: fn.deployedName,
  });
}
