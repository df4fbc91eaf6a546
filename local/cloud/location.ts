/** The location of the cloud's resources: the components of their ARNs and addresses. */
export interface CloudLocation {
  readonly region: string;
  readonly account: string;
  /** The address of all AWS services, without a trailing slash. */
  readonly gatewayUrl: string;
  readonly apiUrl: string;
}

/** Returns an ARN. @param resource as the service writes it, e.g. `table/name` */
export function arnOf(
  { region, account }: Pick<CloudLocation, "region" | "account">,
  service: string,
  resource: string,
): string {
  return `arn:aws:${service}:${region}:${account}:${resource}`;
}

/**
 * Returns the name at the end of the ARN of a queue, a function or a log group. A plain name is returned
 * unchanged.
 */
export function nameInArn(arn: string): string {
  return arn.split(":").at(-1) ?? "";
}

export function queueUrlOf({ gatewayUrl, account }: CloudLocation, queueName: string): string {
  return `${gatewayUrl}/${account}/${queueName}`;
}
