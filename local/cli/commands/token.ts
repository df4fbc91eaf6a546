import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { InputError, PlatformError } from "../../../shared/core/errors.ts";
import { parseJson } from "../../../shared/core/parse-json.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import type { MachineLogin } from "../../cloud/cognito/machine-client.ts";
import type { Command } from "./command.ts";
import { type MachineRole, machineLogin, machineRoles, requestToken, type Token } from "./machine-access.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather token [options]

Prints an access token of the API for a machine, by client credentials. The token is valid for an hour. Example:
curl -H "Authorization: Bearer $(npx ingather token --file token)" URL/runs

For a deployment, set the environment variables INGATHER_TOKEN_URL, INGATHER_CLIENT_ID and INGATHER_CLIENT_SECRET.
Without them, the command prints a token of a running npm start.

  --role ROLE      ${machineRoles.join(" or ")} (default operator)
  --file FILE      store the token in FILE, and reuse it until less than five minutes are left
  --state DIR      the state folder of npm start (default .ingather)
  --help           show this

Exit code: 0 printed; 1 the issuer of tokens refuses the client or does not answer; 2 wrong use.
`;

export const tokenCommand: Command = {
  usage,
  async run(args, { stdout, stderr }) {
    const { values, positionals } = parseArguments(args, {
      role: { type: "string", default: "operator" },
      file: { type: "string" },
      state: { type: "string", default: ".ingather" },
    });
    if (positionals.length > 0) throw new InputError("token", positionals.join(" "), "takes options only");
    const role = machineRoles.find((each) => each === values.role);
    if (role === undefined)
      throw new InputError("--role", values.role, `must be ${machineRoles.join(" or ")}`);
    const login = machineLogin(values.state);
    const kept = values.file === undefined ? undefined : readKept(values.file, { login, role });
    if (kept !== undefined) {
      stdout.write(`${kept}\n`);
      return 0;
    }
    try {
      const token = await requestToken(login, role);
      if (values.file !== undefined) keep(values.file, { login, role, token });
      stdout.write(`${token.accessToken}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      stderr.write(`${printable(error.message)}\n`);
      return 1;
    }
  },
};

/** A stored token is renewed when less than this time is left. */
const leastLeftMs = 300_000;

const keptToken = z.object({
  tokenUrl: z.string(),
  clientId: z.string(),
  role: z.enum(machineRoles),
  accessToken: z.string(),
  expiresAt: z.number(),
});

/** Returns the stored token if it belongs to this client and role and remains valid for long enough. */
function readKept(
  file: string,
  { login, role }: { login: MachineLogin; role: MachineRole },
): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new InputError("--file", file, `cannot be read: ${(error as Error).message}`);
  }
  const { data: kept } = keptToken.safeParse(parseJson(text));
  if (kept?.tokenUrl !== login.tokenUrl || kept.clientId !== login.clientId || kept.role !== role)
    return undefined;
  return kept.expiresAt - Date.now() > leastLeftMs ? kept.accessToken : undefined;
}

/** Stores a token. The file is replaced atomically, so that a concurrent reader gets one whole token. */
function keep(
  file: string,
  { login, role, token }: { login: MachineLogin; role: MachineRole; token: Token },
): void {
  const { tokenUrl, clientId } = login;
  try {
    const next = `${file}.${process.pid}`;
    writeFileSync(next, JSON.stringify({ tokenUrl, clientId, role, ...token }), { mode: 0o600 });
    renameSync(next, file);
  } catch (error) {
    throw new InputError("--file", file, `cannot be written: ${(error as Error).message}`);
  }
}
