import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { silentLogger } from "./silent-logger.ts";

/** Users of a presigned URL do not send the checksum that the SDK would require. */
const s3 = new S3Client({
  forcePathStyle: true,
  logger: silentLogger,
  requestChecksumCalculation: "WHEN_REQUIRED",
});

/** Returns a URL with which anybody can upload an object. @param expiresIn seconds */
export function signPut(object: { Bucket: string; Key: string }, expiresIn: number): Promise<string> {
  return getSignedUrl(s3, new PutObjectCommand(object), { expiresIn });
}

/** Returns a URL with which anybody can download an object. @param expiresIn seconds */
export function signGet(
  object: { Bucket: string; Key: string; ResponseContentDisposition?: string },
  expiresIn: number,
): Promise<string> {
  return getSignedUrl(s3, new GetObjectCommand(object), { expiresIn });
}
