import type { Node } from "constructs";
import { ConfigError } from "../shared/core/errors.ts";
import { userAgentSchema } from "../shared/core/user-agent.ts";

/** The settings of a deployment: from the context of `cdk.json`, or `-c ingather:…=…`. */
export interface DeploymentSettings {
  /** IANA name. The daily schedules and the dates in file names use it. */
  timeZone: string;
  /** The sender of all mails; empty: none are sent. */
  mailFrom: string;
  /**
   * What SES verifies: the `address` of the sender, its `domain`, or nothing, as the account has an `existing` identity;
   * `none`: mails are kept, and not sent.
   */
  senderIdentity: "address" | "domain" | "existing" | "none";
  /** The addresses that get every report, separated by commas. */
  mailTo: string;
  /** The mail address for tables of contents of EMAIL sources. Empty: no mail is received. */
  harvestMailbox: string;
  /** The User-Agent header, with a URL of contact details. */
  userAgent: string;
  /** The URL of the runbook. Alarms link to its entries. */
  runbookUrl: string;
  /** Who may check OAI-PMH sets: `operators`, or `anybody`. */
  checkSetAudience: "operators" | "anybody";
  /** The origins whose pages may call the API from a browser, separated by commas; empty: none. */
  corsOrigins: readonly string[];
  /** The ARNs of the roles and users that may add, change and delete sources by events, separated by commas. */
  sourcePublishers: readonly string[];
  /** The buckets whose folders may be sources, separated by commas. */
  folderBuckets: readonly string[];
  /**
   * Whether tables refuse to be deleted. Off for the first deployment: if that fails, what it has made must go before it can
   * be repeated.
   */
  deletionProtection: "off" | "on";
  /** The subnets, in one VPC, of the functions that request servers with private addresses; empty: they are in none. */
  vpcSubnets: readonly string[];
  /** The security groups of these functions. */
  vpcSecurityGroups: readonly string[];
  /** Whether each capability has a dashboard. */
  dashboards: "off" | "on";
  /** So many queues of requests share the hosts. */
  requestQueues: number;
  /** Whether an alarm is raised when messages wait for hours in a queue. */
  queueAgeAlarms: "off" | "on";
  /** The URLs of the network probe, requested every five minutes, separated by commas. */
  probeUrls: string;
}

/** @throws ConfigError that names what is missing or wrong */
export function deploymentSettings(node: Node): DeploymentSettings {
  const senderIdentity = oneOf(node, "senderIdentity", ["address", "domain", "existing", "none"]);
  const settings = {
    timeZone: contextText(node, "timeZone"),
    mailFrom: senderIdentity === "none" ? "" : contextText(node, "mailFrom"),
    mailTo: contextText(node, "mailTo"),
    senderIdentity,
    harvestMailbox: mailbox(node),
    ...privateNetwork(node),
    dashboards: oneOf(node, "dashboards", ["off", "on"]),
    requestQueues: requestQueues(node),
    queueAgeAlarms: oneOf(node, "queueAgeAlarms", ["off", "on"]),
    deletionProtection: oneOf(node, "deletionProtection", ["off", "on"]),
    userAgent: contextText(node, "userAgent"),
    runbookUrl: contextText(node, "runbookUrl"),
    probeUrls: contextText(node, "probeUrls"),
    corsOrigins: corsOrigins(node.tryGetContext("ingather:corsOrigins")),
    sourcePublishers: sourcePublishers(node.tryGetContext("ingather:sourcePublishers")),
    folderBuckets: folderBuckets(node.tryGetContext("ingather:folderBuckets")),
    checkSetAudience: oneOf(node, "checkSetAudience", ["operators", "anybody"]),
  };
  if (!isTimeZone(settings.timeZone)) {
    throw new ConfigError(`context ingather:timeZone: "${settings.timeZone}" is no IANA time zone`);
  }
  if (!userAgentSchema.safeParse(settings.userAgent).success) {
    throw new ConfigError(
      `context ingather:userAgent: "${settings.userAgent}" must be 1 to 500 printable ASCII characters`,
    );
  }
  if (senderIdentity !== "none" && !settings.mailFrom.includes("@")) {
    throw new ConfigError(`context ingather:mailFrom: "${settings.mailFrom}" is no address`);
  }
  return settings;
}

function contextText(node: Node, name: keyof DeploymentSettings): string {
  const value: unknown = node.tryGetContext(`ingather:${name}`);
  if (typeof value !== "string" || value === "") throw new ConfigError(`context ingather:${name} is missing`);
  return value;
}

function oneOf<Value extends string>(
  node: Node,
  name: keyof DeploymentSettings,
  values: readonly [Value, ...Value[]],
): Value {
  const text = contextText(node, name);
  const value = values.find((each) => each === text);
  if (value !== undefined) return value;
  throw new ConfigError(`context ingather:${name}: "${text}" must be one of ${values.join(", ")}`);
}

function requestQueues(node: Node): number {
  const text = contextText(node, "requestQueues");
  if (/^(?:[1-9]|[12]\d|3[0-2])$/.test(text)) return Number(text);
  throw new ConfigError(`context ingather:requestQueues: "${text}" must be a whole number from 1 to 32`);
}

/** May be empty, but not absent: a misspelt key would take the mailbox away. */
function mailbox(node: Node): string {
  const value: unknown = node.tryGetContext("ingather:harvestMailbox");
  if (value === "") return value;
  const address = contextText(node, "harvestMailbox");
  if (!address.includes("@")) {
    throw new ConfigError(`context ingather:harvestMailbox: "${address}" is no address`);
  }
  return address;
}

function corsOrigins(text: unknown): string[] {
  return listOf(text).map((origin) => {
    if (URL.parse(origin)?.origin === origin) return origin;
    throw new ConfigError(
      `context ingather:corsOrigins: "${origin}" must be an origin, as https://a.example`,
    );
  });
}

function folderBuckets(text: unknown): string[] {
  return listOf(text).map((bucket) => {
    if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return bucket;
    throw new ConfigError(`context ingather:folderBuckets: "${bucket}" must be the name of a bucket`);
  });
}

/** Subnets need security groups, and the other way round. */
function privateNetwork(node: Node): Pick<DeploymentSettings, "vpcSubnets" | "vpcSecurityGroups"> {
  const ids = (name: "vpcSubnets" | "vpcSecurityGroups", kind: string) =>
    listOf(node.tryGetContext(`ingather:${name}`)).map((id) => {
      if (new RegExp(`^${kind}-[0-9a-f]{8,17}$`).test(id)) return id;
      throw new ConfigError(`context ingather:${name}: "${id}" must be an id, as ${kind}-0a1b2c3d4e5f60718`);
    });
  const network = {
    vpcSubnets: ids("vpcSubnets", "subnet"),
    vpcSecurityGroups: ids("vpcSecurityGroups", "sg"),
  };
  if ((network.vpcSubnets.length === 0) === (network.vpcSecurityGroups.length === 0)) return network;
  throw new ConfigError("context ingather:vpcSubnets and ingather:vpcSecurityGroups: set both, or none");
}

function listOf(text: unknown): string[] {
  const parts = typeof text === "string" ? text.split(",") : [];
  return parts.map((each) => each.trim()).filter((each) => each !== "");
}

function sourcePublishers(text: unknown): string[] {
  return listOf(text).map((arn) => {
    if (/^arn:[\w-]+:iam::\d{12}:(role|user)\/[\w+=,.@/-]+$/.test(arn)) return arn;
    throw new ConfigError(
      `context ingather:sourcePublishers: "${arn}" must be the ARN of a role or user, as arn:aws:iam::123456789012:role/catalogue`,
    );
  });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
