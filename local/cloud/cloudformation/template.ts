import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A resource of a template, before intrinsic functions are resolved. */
export interface Resource {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly condition: string | undefined;
}

interface TemplateParameter {
  readonly Type: string;
  readonly Default?: unknown;
}

/** One synthesised stack. */
export interface Stack {
  readonly name: string;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly parameters: Readonly<Record<string, TemplateParameter>>;
  readonly outputs: Readonly<Record<string, { Value: unknown }>>;
}

/** The sections of a CloudFormation template that the local cloud uses. */
export interface Template {
  readonly Resources?: Readonly<Record<string, RawResource>>;
  readonly Parameters?: Stack["parameters"];
  readonly Outputs?: Stack["outputs"];
}

interface RawResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
}

interface Manifest {
  readonly artifacts: Readonly<
    Record<string, { type: string; properties?: { templateFile?: string; stackName?: string } }>
  >;
}

/**
 * Reads the stacks of a cloud assembly, as `cdk synth` writes it.
 *
 * @see https://github.com/aws/aws-cdk-cli/blob/main/packages/%40aws-cdk/cloud-assembly-schema/lib/cloud-assembly/schema.ts
 */
export function readStacks(assemblyDir: string): Stack[] {
  const manifest = readJson(join(assemblyDir, "manifest.json")) as Manifest;
  return Object.entries(manifest.artifacts).flatMap(([id, artifact]) => {
    if (artifact.type === "cdk:cloud-assembly") {
      throw new Error(
        `${id} is a CDK stage; the local cloud reads the stacks of the app itself: add them to the App`,
      );
    }
    const file = artifact.properties?.templateFile;
    if (artifact.type !== "aws:cloudformation:stack" || file === undefined) return [];
    return [stackOf(artifact.properties?.stackName ?? id, readJson(join(assemblyDir, file)) as Template)];
  });
}

/** Parses a template and returns its stack. */
export function stackOf(name: string, template: Template): Stack {
  const resources = Object.entries(template.Resources ?? {}).map(([logicalId, raw]): [string, Resource] => [
    logicalId,
    {
      stack: name,
      logicalId,
      type: raw.Type,
      properties: raw.Properties ?? {},
      metadata: raw.Metadata ?? {},
      condition: raw.Condition,
    },
  ]);
  return {
    name,
    resources: new Map(resources),
    parameters: template.Parameters ?? {},
    outputs: template.Outputs ?? {},
  };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}
