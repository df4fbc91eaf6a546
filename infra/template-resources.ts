/** The parts of a synthesised template that determine which function invokes which. */
export interface Template {
  readonly Resources?: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Properties;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** The properties of functions, event source mappings, policies and buckets from which the graph is built. */
interface Properties {
  readonly FunctionName?: unknown;
  readonly Role?: unknown;
  readonly RecursiveLoop?: unknown;
  readonly EventSourceArn?: unknown;
  readonly Roles?: readonly unknown[];
  readonly PolicyDocument?: { readonly Statement: readonly Statement[] };
  readonly NotificationConfiguration?: unknown;
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** The templates of an app, by the names of their stacks. */
export type Templates = Readonly<Record<string, Template>>;

/** A resource of a template, with the resources to which it refers. */
export interface Resource {
  /** Unique among all stacks. */
  readonly id: string;
  readonly type: string;
  readonly properties: Properties;
  readonly metadata: NonNullable<TemplateResource["Metadata"]>;
  /** Returns the id of the resource to which a value refers, in its own stack or another one. */
  refer(value: unknown): string | undefined;
}

/** Returns all resources of the templates. */
export function resourcesOf(templates: Templates): Resource[] {
  return Object.entries(templates).flatMap(([stack, { Resources = {} }]) =>
    Object.entries(Resources).map(([logicalId, { Type, Properties = {}, Metadata = {} }]) => ({
      id: `${stack}/${logicalId}`,
      type: Type,
      properties: Properties,
      metadata: Metadata,
      refer: (value: unknown) => referredId(value, stack, templates),
    })),
  );
}

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html */
function referredId(value: unknown, stack: string, templates: Templates): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const {
    Ref,
    "Fn::GetAtt": attribute,
    "Fn::GetStackOutput": output,
  } = value as {
    Ref?: string;
    "Fn::GetAtt"?: [string, string];
    "Fn::GetStackOutput"?: { StackName: string; OutputName: string };
  };
  if (output !== undefined) {
    const { Value } = templates[output.StackName]?.Outputs?.[output.OutputName] ?? {};
    return referredId(Value, output.StackName, templates);
  }
  const logicalId = Ref ?? attribute?.[0];
  return logicalId !== undefined && logicalId in (templates[stack]?.Resources ?? {})
    ? `${stack}/${logicalId}`
    : undefined;
}
