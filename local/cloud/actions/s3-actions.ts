import { type AccessRequest, accessTo } from "../iam/policy.ts";
import { objectOf } from "../object-path.ts";
import { type ServiceRequest, Unsupported } from "../service.ts";

/** Parameters that the emulator supports or may ignore. Any other parameter would change the request's meaning. */
const knownParameters = new Set(
  (
    "x-id list-type prefix delimiter max-keys start-after continuation-token encoding-type fetch-owner marker " +
    "delete uploads uploadId partNumber location X-Amz-Algorithm X-Amz-Credential X-Amz-Date X-Amz-Expires " +
    "X-Amz-SignedHeaders X-Amz-Signature X-Amz-Content-Sha256 x-amz-checksum-mode response-content-disposition"
  ).split(" "),
);
/**
 * The maximum size of a PUT. An object is stored as a value in SQLite, which must be smaller than 1 GB, and
 * is twice in memory during the PUT.
 */
const maxPutSizeBytes = 512 * 1024 * 1024;

/**
 * Returns the permissions that a path-style S3 request needs.
 *
 * @throws Unsupported for requests that the emulator would misinterpret.
 */
export function s3Actions(request: ServiceRequest): readonly AccessRequest[] {
  const { method, query } = request;
  assertSupported(request);
  const { bucket, key } = objectOf(request.path);
  const bucketArn = `arn:aws:s3:::${bucket}`;
  if (key === "") {
    if (method === "POST" && query.has("delete")) {
      return keysToDelete(request.body).map((each) => accessTo("s3:DeleteObject", `${bucketArn}/${each}`));
    }
    if (method === "GET" && query.has("uploads")) throw new Unsupported("the local S3 cannot list uploads");
    if (method === "GET" || method === "HEAD") return [accessTo("s3:ListBucket", bucketArn)];
    throw new Unsupported(
      `the local S3 cannot ${method} a bucket, because buckets are defined in the templates`,
    );
  }
  const object = `${bucketArn}/${key}`;
  switch (method) {
    case "GET":
      if (query.has("uploadId")) throw new Unsupported("the local S3 cannot list parts");
      return [accessTo("s3:GetObject", object)];
    case "HEAD":
      return [accessTo("s3:GetObject", object)];
    case "DELETE":
      return [accessTo(query.has("uploadId") ? "s3:AbortMultipartUpload" : "s3:DeleteObject", object)];
    default:
      return [accessTo("s3:PutObject", object), ...copySource(request)];
  }
}

function assertSupported({ method, query, headers }: ServiceRequest): void {
  const parameter = [...query.keys()].find((name) => !knownParameters.has(name));
  if (parameter !== undefined)
    throw new Unsupported(`the local S3 does not support the parameter ${parameter}`);
  // S3 also refuses these characters, because a header cannot contain them.
  if (/[^\x20-\x7e]/.test(query.get("response-content-disposition") ?? "")) {
    throw new Unsupported("the local S3 accepts only visible ASCII in response-content-disposition");
  }
  if (method === "PUT" && (headers["if-none-match"] ?? headers["if-match"]) !== undefined) {
    throw new Unsupported("the local S3 does not support conditions on PUT");
  }
  if (method === "PUT" && Number(headers["content-length"] ?? 0) > maxPutSizeBytes) {
    throw new Unsupported("the local S3 accepts at most 512 MiB per request: use a multipart upload");
  }
}

function copySource({ headers }: ServiceRequest): AccessRequest[] {
  const source = headers["x-amz-copy-source"];
  if (typeof source !== "string") return [];
  return [accessTo("s3:GetObject", `arn:aws:s3:::${decodeURIComponent(source.replace(/^\//, ""))}`)];
}

function keysToDelete(body: Buffer): string[] {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) =>
    key
      .replaceAll(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? ""),
  );
}
