import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { localGroup } from "../../local/local-group.ts";
import { secretNames } from "../../shared/names.ts";
import { group, type NewGroup } from "../../shared/records/sources/group.ts";
import type { SftpServerForTests } from "../shared/deliver/upload/sftp-server.ts";

/** Has the local group deliver by SFTP. Its login is in the file of secrets: see `setSftpLogin`. */
export async function deliverBySftp(
  { port, hostKeyFingerprint }: SftpServerForTests,
  settings: Partial<NewGroup> = {},
): Promise<void> {
  const { configurationStore } = await import("../../shared/adapters/records/configuration-store.ts");
  const destination = { type: "SFTP", host: "127.0.0.1", port, username: "ingather", hostKeyFingerprint };
  const value = group.parse({ ...localGroup, ...settings, destination });
  await configurationStore().put({ kind: "group", id: localGroup.groupId, value });
}

/** Sets the secret by which the local group logs in at its receiver. */
export function setSftpLogin(stateDir: string, login: object): void {
  const secrets = { [secretNames.sftpLogin(localGroup.groupId)]: JSON.stringify(login) };
  writeFileSync(join(stateDir, "secrets.json"), JSON.stringify(secrets));
}
