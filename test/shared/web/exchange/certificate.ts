import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../temporary-folder.ts";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** Makes a certificate that a host has signed itself. */
export function selfSigned(host: string): { key: Buffer; cert: Buffer } {
  const folder = temporaryFolder();
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key];
  execFileSync("openssl", ["req", "-x509", ...newKey, "-out", cert, "-days", "2", ...subject], {
    stdio: "ignore",
  });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
