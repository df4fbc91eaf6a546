import type { Node } from "constructs";
import * as z from "zod";
import { ConfigError } from "../shared/core/errors.ts";
import { isTimeZone } from "../shared/core/time-zone.ts";
import { userAgentSchema } from "../shared/core/user-agent.ts";

const prefix = "ingather:";

/** The maximum concurrency of an event source that AWS permits. */
export const maxGateInvocations = 1000;

const onOrOff = z.enum(["off", "on"], { error: "must be off or on" });
const address = z.string().regex(/^[^@\s,]+@[^@\s,]+$/, "is not an email address");
const webUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

/** Returns the schema of a list, separated by commas. */
function listOf<Item extends z.ZodType<string, string>>(item: Item) {
  return z
    .string()
    .transform((text) =>
      text
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== ""),
    )
    .pipe(z.array(item));
}

function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((given) => given >= least && given <= most, error);
}

function idsOf(kind: "subnet" | "sg") {
  const pattern = new RegExp(`^${kind}-[0-9a-f]{8,17}$`);
  return listOf(z.string().regex(pattern, `must be an id, such as ${kind}-0a1b2c3d4e5f60718`));
}

const settingsSchema = z
  .strictObject({
    /** See `setNamePrefix`. */
    prefix: z.string().optional(),
    /** An IANA name. The daily schedules and the dates in file names use this time zone. */
    timeZone: z.string().refine(isTimeZone, "is not an IANA time zone"),
    /** The sender of all mails. Empty: no mails are sent. */
    mailFrom: z.string(),
    /**
     * The identity of the sender in SES. `address` and `domain`: the deployment verifies the sender's address
     * or domain. `existing`: the account already has an identity. `none`: mails are stored, but not sent.
     */
    senderIdentity: z.enum(["address", "domain", "existing", "none"], {
      error: "must be one of address, domain, existing, none",
    }),
    /** The addresses that get every report. */
    mailTo: listOf(address).refine(({ length }) => length > 0, "needs an address"),
    /** The address of the console, to which the report links. Empty: the report has no links to the console. */
    consoleUrl: z.union([z.literal(""), webUrl], { error: "must be an http or https URL" }).default(""),
    /** The mail address that receives tables of contents for EMAIL sources. Empty: no mail is received. */
    harvestMailbox: z.union([z.literal(""), address], { error: "is not an email address" }),
    /** The User-Agent header, which includes a URL with contact details. */
    userAgent: z.string().refine((text) => userAgentSchema.safeParse(text).success, {
      error: "must be 1 to 500 printable ASCII characters",
    }),
    /** The URL of the runbook. Alarms link to its entries. */
    runbookUrl: webUrl,
    /** The callers that may check OAI-PMH sets: `operators`, or `anybody`. */
    checkSetAudience: z.enum(["operators", "anybody"], { error: "must be one of operators, anybody" }),
    /** The origins whose pages may call the API from a browser. */
    corsOrigins: listOf(
      z
        .string()
        .refine(
          (text) => /^https?:[^*]+$/.test(text) && URL.parse(text)?.origin === text,
          "must be an origin without wildcards, such as https://a.example",
        ),
    ),
    /** The ARNs of the roles and users that may add, change and delete sources by events. */
    sourcePublishers: listOf(
      z
        .string()
        .regex(
          /^arn:[\w-]+:iam::\d{12}:(role|user)\/[\w+=,.@/-]+$/,
          "must be the ARN of a role or user, such as arn:aws:iam::123456789012:role/catalogue",
        ),
    ),
    /** The buckets whose folders may be sources. */
    folderBuckets: listOf(
      z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket"),
    ),
    /**
     * Whether tables refuse to be deleted. It must be off for the first deployment: if that fails, its
     * resources must be deleted before it can be repeated.
     */
    deletionProtection: onOrOff,
    /**
     * The subnets, all in one VPC, of the functions that request servers with private addresses. Empty: these
     * functions are not in a VPC.
     */
    vpcSubnets: idsOf("subnet"),
    /** The security groups of these functions. */
    vpcSecurityGroups: idsOf("sg"),
    /** Whether each capability has a dashboard. */
    dashboards: onOrOff,
    /** The number of request queues among which the hosts are divided. */
    requestQueues: wholeNumber(1, 32),
    /**
     * The maximum number of concurrent invocations of the gate for each of these queues. An invocation serves
     * up to 50 hosts.
     * @see https://docs.aws.amazon.com/lambda/latest/api/API_ScalingConfig.html
     */
    gateInvocations: wholeNumber(2, maxGateInvocations),
    /**
     * The maximum number of articles that the long harvests of one source add to a delivery. The remaining
     * articles are added to the next deliveries.
     */
    maxArticlesOfHarvest: wholeNumber(1000, 10_000_000),
    /**
     * The minutes after which a run delivers its finished sources. Late sources are still read, for the next
     * delivery. 0: the run waits for all sources, until its deadline after three hours.
     */
    softDeadlineMinutes: wholeNumber(0, 179),
    /** Whether an alarm is raised when messages wait for hours in a queue. */
    queueAgeAlarms: onOrOff,
    /** The URLs of the network probe, requested every five minutes. */
    probeUrls: listOf(webUrl).refine(({ length }) => length > 0, "needs a URL"),
  })
  .refine(
    ({ senderIdentity, mailFrom }) => senderIdentity === "none" || address.safeParse(mailFrom).success,
    {
      path: ["mailFrom"],
      error: "is not an email address",
    },
  )
  .refine(
    ({ vpcSubnets, vpcSecurityGroups }) => (vpcSubnets.length === 0) === (vpcSecurityGroups.length === 0),
    {
      path: ["vpcSubnets"],
      error: "and ingather:vpcSecurityGroups: set both, or none",
    },
  )
  .transform((settings) => (settings.senderIdentity === "none" ? { ...settings, mailFrom: "" } : settings));

/** The settings of a deployment: from the context of `cdk.json`, or `-c ingather:…=…`. */
type DeploymentSettings = z.output<typeof settingsSchema>;

const read = new WeakMap<object, DeploymentSettings>();

/**
 * Reads the settings of a deployment. @throws ConfigError that names a missing, unknown or invalid setting
 */
export function deploymentSettings(node: Node): DeploymentSettings {
  const { root } = node;
  const settings = read.get(root) ?? parseSettings(root.node.getAllContext());
  read.set(root, settings);
  return settings;
}

function parseSettings(context: Record<string, unknown>): DeploymentSettings {
  const own = Object.entries(context).filter(([key]) => key.startsWith(prefix));
  const given = Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
  const { data, error } = settingsSchema.safeParse(given);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const [key = ""] = issue?.code === "unrecognized_keys" ? issue.keys : (issue?.path.map(String) ?? []);
  if (given[key] === undefined) throw new ConfigError(`context ${prefix}${key} is missing`);
  const problem = issue?.code === "unrecognized_keys" ? "is not a setting" : issue?.message;
  throw new ConfigError(`context ${prefix}${key}: ${JSON.stringify(given[key])} ${problem}`);
}
