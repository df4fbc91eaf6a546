import * as z from "zod";
import type { SftpLogin } from "../../adapters/sftp/sftp-client.ts";
import { ConfigError, RemoteError } from "../../core/errors.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { Secrets } from "../../core/secrets.ts";
import { secretNames } from "../../names.ts";
import type { Sftp } from "../stage-results/sftp.ts";

const loginSecret = z.object({
  privateKey: z.string().min(1).optional(),
  passphrase: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
});

/** Provides receivers by SFTP. A secret per group contains the login. */
export function sftp(secrets: Secrets): Sftp {
  return {
    async withSession({ groupId, destination }, work) {
      const name = secretNames.sftpLogin(groupId);
      try {
        // The client is loaded on demand, because loading takes 15 ms and few groups have a receiver.
        const { withSftp } = await import("../../adapters/sftp/sftp-client.ts");
        await withSftp(destination, parseLogin(await secrets.secret(name), name), work);
        return { type: "done" };
      } catch (error) {
        if (error instanceof RemoteError || error instanceof ConfigError) {
          return { type: "failed", reason: error.message };
        }
        throw error;
      }
    },
  };
}

/** Parses a login. The error never quotes the secret. */
function parseLogin(text: string, name: string): SftpLogin {
  const wrong = new ConfigError(`secret ${name}: must be JSON with "privateKey" or "password"`);
  const { data } = loginSecret.safeParse(parseJson(text));
  if (data?.privateKey === undefined && data?.password === undefined) throw wrong;
  return data;
}
