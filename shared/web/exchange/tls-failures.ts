interface Cause {
  codes: RegExp;
  description: string;
}

/** An error of Node, with its optional properties. */
type TlsError = Error & { code?: unknown; host?: unknown; cert?: { subjectaltname?: unknown } };

/** Frequent failures, described for the host's operator. The first match applies. */
const causes: Cause[] = [
  { codes: /^CERT_HAS_EXPIRED$/, description: "its certificate has expired" },
  { codes: /^CERT_NOT_YET_VALID$/, description: "its certificate is not valid yet" },
  { codes: /^CERT_REVOKED$/, description: "its certificate has been revoked" },
  { codes: /^DEPTH_ZERO_SELF_SIGNED_CERT$/, description: "its certificate is self-signed" },
  {
    codes: /^SELF_SIGNED_CERT_IN_CHAIN$/,
    description: "the issuer of its certificate is not trusted",
  },
  {
    codes: /^UNABLE_TO_(GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE)$/,
    description:
      "the issuer of its certificate is unknown, or it does not send the intermediate certificates",
  },
  {
    codes: /^(EE_KEY_TOO_SMALL|CA_KEY_TOO_SMALL|CA_MD_TOO_WEAK)$/,
    description: "its certificate is too weak",
  },
  {
    codes: /^ERR_SSL_(WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG)$/,
    description: "it does not use TLS on this port",
  },
  {
    codes: /^ERR_SSL_(UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|.*_PROTOCOL_VERSION)$/,
    description: "its TLS versions are insecure, or not supported by Ingather",
  },
  {
    codes:
      /^ERR_SSL_(.*HANDSHAKE_FAILURE|NO_SHARED_CIPHER|DH_KEY_TOO_SMALL|UNSAFE_LEGACY_RENEGOTIATION_DISABLED)$/,
    description: "its ciphers are insecure, or not supported by Ingather",
  },
  { codes: /^ERR_SSL_.*UNRECOGNIZED_NAME$/, description: "it does not serve this name" },
  { codes: /^ERR_SSL_.*CERTIFICATE_REQUIRED$/, description: "it requires a client certificate" },
  { codes: /^ERR_SSL_/, description: "the TLS handshake failed" },
];

/** The number of names of a certificate that are listed. */
const maxNamesListed = 3;

/**
 * Describes in plain words why a TLS handshake failed, with the code of Node or OpenSSL. OpenSSL's own messages look
 * like `40A7:error:0A00010B:SSL routines:tls_validate_record_header:…`.
 * @returns undefined when the error has no known code
 * @see https://nodejs.org/api/tls.html#x509-certificate-error-codes
 */
export function describeTlsFailure(error: TlsError): string | undefined {
  const code = sslCodeIn(error.message) ?? error.code;
  if (typeof code !== "string") return undefined;
  const words =
    code === "ERR_TLS_CERT_ALTNAME_INVALID"
      ? wrongHost(error)
      : causes.find(({ codes }) => codes.test(code))?.description;
  return words === undefined ? undefined : `${words} (${code})`;
}

/**
 * Returns the code of an OpenSSL error that occurs while Node writes. Node reports such an error as EPROTO: `write
 * EPROTO 40A7:error:0A00010B:SSL routines:…:wrong version number:…`
 */
function sslCodeIn(message: string): string | undefined {
  const reason = /:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):/i.exec(message)?.[1];
  return reason && `ERR_SSL_${reason.toUpperCase().replaceAll(/[^A-Z\d]+/g, "_")}`;
}

/** @see https://nodejs.org/api/tls.html#tlscheckserveridentityhostname-cert the properties of the error */
function wrongHost({ host, cert }: TlsError): string {
  const written = typeof cert?.subjectaltname === "string" ? cert.subjectaltname : "";
  const names = [...written.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name]) => name);
  const listed =
    names.slice(0, maxNamesListed).join(", ") + (names.length > maxNamesListed ? " and others" : "");
  const requested = typeof host === "string" ? host : "this host";
  return names.length === 0
    ? `its certificate is not for ${requested}`
    : `its certificate is not for ${requested}, but for ${listed}`;
}
