import { S3Client } from "@aws-sdk/client-s3";
import { silentLogger } from "./silent-logger.ts";

export {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  UploadPartCommand,
} from "@aws-sdk/client-s3";

/** The client that `s3.ts` loads with its first call. It takes 15 ms to load, and many invocations need no object. */
export const s3 = new S3Client({ forcePathStyle: true, logger: silentLogger });
