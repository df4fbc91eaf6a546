import { App, Tags, Validations } from "aws-cdk-lib";
import { stackNames } from "../shared/names.ts";
import { bundlesContext } from "./constructs/deployed-function.ts";
import { ApiStack } from "./stacks/api.ts";
import { DeliveryStack } from "./stacks/delivery.ts";
import { HarvestStack } from "./stacks/harvest.ts";
import { LinksStack } from "./stacks/links.ts";
import { RequestsStack } from "./stacks/requests.ts";
import { StorageStack } from "./stacks/storage.ts";

export interface SynthesisOptions {
  /** Where the cloud assembly goes; where the CDK's own command line wants it when absent. */
  outdir?: string;
  /** Where the bundles of the functions go. */
  bundles: string;
  /** Check the templates by CloudFormation's and cdk-nag's rules: a second or two, left out at a local start. */
  checks: boolean;
  /** The context of `cdk.json`, when it is not the CDK's command line that gives it. */
  context?: Record<string, unknown>;
}

/** Writes the templates of all stacks, about functions that have been bundled. */
export async function writeTemplates({
  outdir,
  bundles,
  checks,
  context = {},
}: SynthesisOptions): Promise<void> {
  const app = new App({
    ...(outdir !== undefined && { outdir }),
    analyticsReporting: false,
    treeMetadata: false,
    ...(!checks && { builtinCloudFormationValidation: false }),
    context: { "aws:cdk:enable-asset-metadata": true, [bundlesContext]: bundles, ...context },
  });
  buildStacks(app);
  if (checks) {
    const { AwsSolutionsChecks } = await import("cdk-nag");
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  }
  app.synth();
}

function buildStacks(app: App): void {
  const storage = new StorageStack(app, stackNames.storage, {});
  const requests = new RequestsStack(app, stackNames.requests, { storage });
  const delivery = new DeliveryStack(app, stackNames.delivery, { storage });
  const harvest = new HarvestStack(app, stackNames.harvest, { storage, requests, delivery });
  new LinksStack(app, stackNames.links, { storage, requests });
  new ApiStack(app, stackNames.api, { storage, requests, harvest });
  Tags.of(app).add("application", "ingather");
}
