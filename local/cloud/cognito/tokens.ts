import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CryptoKey, JWK, JWTPayload } from "jose";

/** The claims that a JWT authorizer of the templates requires. */
export interface JwtConfiguration {
  readonly issuer: string;
  readonly audience: readonly string[];
}

/** The only accepted algorithm. The header of a token cannot choose another algorithm. */
const algorithm = "ES256";

/** The id of the only key. */
const keyId = "local";

export interface Tokens {
  /**
   * Issues a token that the authorizer accepts for an hour, unless the claims override this. Claims that are
   * undefined are omitted.
   */
  issue(claims: Readonly<Record<string, unknown>>, audience: JwtConfiguration): Promise<string>;
  /** Returns the claims of a valid token; undefined for an invalid token. */
  verify(token: string, audience: JwtConfiguration): Promise<JWTPayload | undefined>;
  /** Returns the public key that verifies tokens, as a member of a JSON Web Key Set. */
  publicKey(): Promise<JWK>;
}

/**
 * Signs and verifies tokens instead of Cognito. Only the owner of the state folder may read the key.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-jwt-authorizer.html
 */
export function createTokens(stateDir: string): Tokens {
  const keyFile = join(stateDir, "token-key.json");
  let loading: Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> | undefined;

  async function keys() {
    loading ??= loadKeys(keyFile);
    return loading;
  }

  return {
    publicKey: async () => {
      const { exportJWK } = await import("jose");
      return { ...(await exportJWK((await keys()).publicKey)), kid: keyId, use: "sig", alg: algorithm };
    },
    issue: async (claims, { issuer, audience }) => {
      const { SignJWT } = await import("jose");
      const { privateKey } = await keys();
      const nowSeconds = Math.floor(Date.now() / 1000);
      return new SignJWT({
        iss: issuer,
        aud: [...audience],
        iat: nowSeconds,
        exp: nowSeconds + 3600,
        ...claims,
      })
        .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: keyId })
        .sign(privateKey);
    },
    verify: async (token, { issuer, audience }) => {
      const { jwtVerify, errors } = await import("jose");
      const { publicKey } = await keys();
      try {
        const { payload } = await jwtVerify(token, publicKey, {
          issuer,
          algorithms: [algorithm],
          requiredClaims: ["exp"],
        });
        // Cognito's access tokens have the client in client_id. The authorizer accepts either claim.
        const clients: unknown[] = [payload.aud ?? payload.client_id].flat();
        return clients.some((client) => audience.includes(String(client))) ? payload : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

async function loadKeys(file: string): Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> {
  const { exportJWK, generateKeyPair, importJWK } = await import("jose");
  let stored = readKey(file);
  if (stored === undefined) {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    stored = await exportJWK(privateKey);
    writeFileSync(file, JSON.stringify(stored), { mode: 0o600 });
  }
  const { d: _, ...open } = stored;
  return {
    privateKey: (await importJWK(stored, algorithm)) as CryptoKey,
    publicKey: (await importJWK(open, algorithm, { extractable: true })) as CryptoKey,
  };
}

function readKey(file: string): JWK | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
