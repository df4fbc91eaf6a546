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
 * Puts a function that requests servers with private addresses into the subnets of the deployment, if it names some. All its
 * requests then leave through them: they need a route to the internet.
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
    reason:
      "Lambda asks for its network interfaces on all resources; the function's own code is denied them.",
  });
  // What Lambda itself needs is not for the code of the function.
  fn.addToRolePolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: interfaceActions,
      resources: ["*"],
      conditions: { ArnEquals: { "lambda:SourceFunctionArn": functionArn(fn) } },
    }),
  );
}

/** By its name: a reference to the function would make its policy depend on it, and it on its policy. */
function functionArn(fn: DeployedFunction): string {
  return Stack.of(fn).formatArn({
    service: "lambda",
    resource: "function",
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    resourceName: fn.deployedName,
  });
}
