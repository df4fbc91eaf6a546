import { type AccessRequest, accessTo } from "../iam/policy.ts";
import { arnOf, type CloudLocation } from "../location.ts";
import { inputOf, type ServiceRequest, unsupported } from "../service.ts";
import { bareAddress, identityOf } from "../ses/identity.ts";

/**
 * Returns the permissions that a request to SES needs. The operation SendEmail needs the permission
 * SendRawEmail if the mail is raw MIME.
 * @throws Unsupported
 */
export function sesActions(
  request: ServiceRequest,
  { identities, ...location }: CloudLocation & { readonly identities: readonly string[] },
): AccessRequest[] {
  if (request.path !== "/v2/email/outbound-emails") unsupported("SES", `${request.method} ${request.path}`);
  const input = inputOf<{ FromEmailAddress?: string; Content?: { Raw?: unknown } }>(request);
  const address = bareAddress(input.FromEmailAddress ?? "");
  const identity = identityOf(address, identities) ?? address;
  const action = input.Content?.Raw === undefined ? "ses:SendEmail" : "ses:SendRawEmail";
  return [accessTo(action, arnOf(location, "ses", `identity/${identity}`), { "ses:fromaddress": address })];
}
