import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import {
  AccountRecovery,
  CfnUserPoolGroup,
  FeaturePlan,
  ManagedLoginVersion,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
  type UserPoolClient,
  type UserPoolDomain,
} from "aws-cdk-lib/aws-cognito";
import type { Construct } from "constructs";
import { roles, scopePrefix } from "../../shared/api/role.ts";
import { sessionHours } from "../../shared/console/sign-in/session.ts";
import { signedInPath } from "../../shared/console/sign-in/sign-in.ts";
import { prefix } from "../../shared/names.ts";

/**
 * The operators, the groups that determine their roles, and the clients through which people and machines get
 * tokens.
 */
export class OperatorPool extends UserPool {
  /** The domain at which people sign in and machines request tokens. */
  readonly domain: UserPoolDomain;
  /** The client through which machines sign in with a separate secret. */
  readonly machineClient: UserPoolClient;

  constructor(scope: Construct, id: string) {
    super(scope, id, {
      selfSignUpEnabled: false,
      // Tokens contain the user name, which notes then show. In a pool without user names, they would contain
      // a random id.
      signInAliases: { username: true, email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 14,
        requireDigits: true,
        requireLowercase: true,
        requireSymbols: true,
        requireUppercase: true,
      },
      featurePlan: FeaturePlan.ESSENTIALS,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this).acknowledge({
      id: "AwsSolutions::AwsSolutions-COG8",
      reason:
        "A dozen operators with one-time passwords: threat protection would cost more than all the rest.",
    });
    for (const [index, role] of roles.entries()) {
      new CfnUserPoolGroup(this, `Group${role}`, {
        userPoolId: this.userPoolId,
        groupName: role,
        description: `May do what is for: ${roles.slice(0, index + 1).join(", ")}`,
      });
    }
    this.domain = this.addDomain("Domain", {
      cognitoDomain: { domainPrefix: `${prefix}-${this.stack.account}` },
      managedLoginVersion: ManagedLoginVersion.CLASSIC_HOSTED_UI,
    });
    this.machineClient = this.addMachineClient();
  }

  /**
   * Adds the client through which people sign in with a code and PKCE. @param apiUrl the URL of the API that
   * serves the console
   */
  addConsoleClient(apiUrl: string): UserPoolClient {
    return this.addClient("Console", {
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.hours(sessionHours),
      authFlows: { adminUserPassword: true, userSrp: true },
      generateSecret: false,
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
        callbackUrls: [`${apiUrl}${signedInPath}`],
        logoutUrls: [`${apiUrl}/console/signed-out`],
      },
      preventUserExistenceErrors: true,
    });
  }

  private addMachineClient(): UserPoolClient {
    const scopes = roles.map(
      (scopeName) => new ResourceServerScope({ scopeName, scopeDescription: `As a ${scopeName}` }),
    );
    const server = this.addResourceServer("Machines", { identifier: scopePrefix.replace("/", ""), scopes });
    return this.addClient("Machine", {
      accessTokenValidity: Duration.hours(1),
      authFlows: {},
      generateSecret: true,
      oAuth: {
        flows: { clientCredentials: true },
        // The role admin is excluded, so that a holder of the secret can read and start runs, but cannot
        // change groups.
        scopes: scopes
          .filter(({ scopeName }) => scopeName !== "admin")
          .map((scope) => OAuthScope.resourceServer(server, scope)),
      },
      preventUserExistenceErrors: true,
    });
  }
}
