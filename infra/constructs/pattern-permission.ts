import { Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";

/** The components of ARNs that depend on the deployment. */
interface Deployment {
  partition: string;
  region: string;
  account: string;
}

/** The placeholders that cdk-nag's findings have for these components. */
const placeholders: Deployment = {
  partition: "<AWS::Partition>",
  region: "<AWS::Region>",
  account: "<AWS::AccountId>",
};

interface PatternPermission {
  actions: string[];
  /**
   * Returns the ARN with its wildcard. It consists of literal names, because cdk-nag's finding contains it.
   */
  resource: (deployment: Deployment) => string;
  /** Why it has a wildcard, in a sentence. */
  reason: string;
  conditions?: Record<string, unknown>;
}

/** Permits a function to do actions on all resources that match a pattern, and gives cdk-nag the reason. */
export function permitPattern(
  fn: LambdaFunction,
  { actions, resource, reason, conditions }: PatternPermission,
): void {
  const { partition, region, account } = Stack.of(fn);
  fn.addToRolePolicy(
    new PolicyStatement({
      actions,
      resources: [resource({ partition, region, account })],
      ...(conditions && { conditions }),
    }),
  );
  Validations.of(fn.role ?? fn).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::${resource(placeholders)}]`,
    reason,
  });
}
