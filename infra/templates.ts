import { App, Stack, Tags, Validations } from "aws-cdk-lib";
import { stackNames } from "../shared/names.ts";
import { bundlesContext } from "./constructs/deployed-function.ts";
import { recursionProblems } from "./invocation-graph.ts";
import { ApiStack } from "./stacks/api.ts";
import { CheckSetStack } from "./stacks/check-set.ts";
import { DeliveryStack } from "./stacks/delivery.ts";
import { DocumentsStack } from "./stacks/documents.ts";
import { GiveBackStack } from "./stacks/give-back.ts";
import { HarvestStack } from "./stacks/harvest.ts";
import { LinksStack } from "./stacks/links.ts";
import { MailStack } from "./stacks/mail.ts";
import { MonitoringStack } from "./stacks/monitoring.ts";
import { RequestsStack } from "./stacks/requests.ts";
import { SnapshotsStack } from "./stacks/snapshots.ts";
import { StorageStack } from "./stacks/storage.ts";

export interface SynthesisOptions {
  /** The folder of the cloud assembly. Default: that of the CDK's command line. */
  outdir?: string;
  /** The folder of the functions' bundles. */
  bundles: string;
  /**
   * Whether the templates are for a deployment. If so, bundles are separate, and the templates are checked by
   * the rules of CloudFormation and cdk-nag, which takes 2 to 3 s. A local start skips the checks.
   */
  deployable: boolean;
  /** The context of `cdk.json`. Default: the CDK's command line sets it. */
  context?: Record<string, unknown>;
}

/** Writes the templates of all stacks. The functions must be bundled first. */
export async function writeTemplates({
  outdir,
  bundles,
  deployable,
  context = {},
}: SynthesisOptions): Promise<void> {
  const app = new App({
    ...(outdir !== undefined && { outdir }),
    analyticsReporting: false,
    treeMetadata: false,
    ...(!deployable && { builtinCloudFormationValidation: false }),
    context: { "aws:cdk:enable-asset-metadata": true, [bundlesContext]: bundles, ...context },
  });
  buildStacks(app);
  if (deployable) {
    const { AwsSolutionsChecks } = await import("cdk-nag");
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  }
  const { stacks } = app.synth();
  const problems = recursionProblems(
    Object.fromEntries(stacks.map(({ stackName, template }) => [stackName, template])),
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

function buildStacks(app: App): void {
  const storage = new StorageStack(app, stackNames.storage, {});
  const mail = new MailStack(app, stackNames.mail, { storage });
  // An account that already has the sender's identity, and no mailbox, needs no resources.
  if (mail.node.children.length === 0) app.node.tryRemoveChild(stackNames.mail);
  const requests = new RequestsStack(app, stackNames.requests, { storage });
  const delivery = new DeliveryStack(app, stackNames.delivery, { storage });
  const checkSet = new CheckSetStack(app, stackNames.checkSet, { storage, requests });
  const documents = new DocumentsStack(app, stackNames.documents, { storage, requests, checkSet });
  const harvest = new HarvestStack(app, stackNames.harvest, {
    storage,
    requests,
    delivery,
    checkSet,
    documents,
  });
  const snapshots = new SnapshotsStack(app, stackNames.snapshots, { storage, requests });
  new GiveBackStack(app, stackNames.giveBack, { storage });
  const api = new ApiStack(app, stackNames.api, {
    storage,
    requests,
    harvest,
    delivery,
    documents,
    checkSet,
    snapshots,
  });
  // Created after the API, because its mails link to the console.
  new LinksStack(app, stackNames.links, { storage, requests, api });
  const monitoring = new MonitoringStack(app, stackNames.monitoring, {});
  // Created last, because its queries name the logs of all other stacks.
  for (const stack of app.node.children) {
    if (stack instanceof Stack && stack !== monitoring) monitoring.addStackDependency(stack);
  }
  Tags.of(app).add("application", "ingather");
}
