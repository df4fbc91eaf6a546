import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { silentLogger } from "./silent-logger.ts";

/** Whoever uses a URL sends no checksum of the SDK. */
const s3 = new S3Client({
  forcePathStyle: true,
  logger: silentLogger,
  requestChecksumCalculation: "WHEN_REQUIRED",
});

/** A URL with which anybody may put an object. @param expiresIn seconds */
export function signPut(object: { Bucket: string; Key: string }, expiresIn: number): Promise<string> {
  return getSignedUrl(s3, new PutObjectCommand(object), { expiresIn });
}

/** A URL with which anybody may get an object. @param expiresIn seconds */
export function signGet(
  object: { Bucket: string; Key: string; ResponseContentDisposition?: string },
  expiresIn: number,
): Promise<string> {
  return getSignedUrl(s3, new GetObjectCommand(object), { expiresIn });
}
