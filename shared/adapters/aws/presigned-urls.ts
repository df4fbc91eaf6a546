import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { JobFileUrls } from "../../api/capture-job-routes.ts";
import type { FileUrls } from "../../api/upload-routes.ts";
import { objectKeys } from "../../names.ts";
import { variable } from "./environment.ts";
import { silentLogger } from "./silent-logger.ts";

/** How long a URL works. */
const uploadSeconds = 3600;
const downloadSeconds = 300;
/** A viewer reads a package bit by bit. */
const viewSeconds = 3600;

/** Whoever uses a URL sends no checksum of the SDK. */
const s3 = new S3Client({
  forcePathStyle: true,
  logger: silentLogger,
  requestChecksumCalculation: "WHEN_REQUIRED",
});

/**
 * URLs with which anybody puts or gets one object, with the permission of the function that signs them.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-presigned-url.html
 */
export function presignedUrls(): FileUrls {
  const uploads = variable("documentUploadsBucket");
  const files = variable("filesBucket");
  const deliveries = variable("deliveriesBucket");
  return {
    uploadSeconds,
    upload: (uploadId, fileId) =>
      getSignedUrl(
        s3,
        new PutObjectCommand({ Bucket: uploads, Key: objectKeys.uploadedFile(uploadId, fileId) }),
        {
          expiresIn: uploadSeconds,
        },
      ),
    download: (Key) =>
      getSignedUrl(
        s3,
        new GetObjectCommand({ Bucket: files, Key, ResponseContentDisposition: "attachment" }),
        {
          expiresIn: downloadSeconds,
        },
      ),
    downloadDelivery: ({ key: Key, fileName }) => {
      const ResponseContentDisposition = `attachment; filename="${fileName}"`;
      const command = new GetObjectCommand({ Bucket: deliveries, Key, ResponseContentDisposition });
      return getSignedUrl(s3, command, { expiresIn: downloadSeconds });
    },
  };
}

/** URLs of files of captures. */
export function jobFileUrls(): JobFileUrls {
  const Bucket = variable("snapshotsBucket");
  return {
    uploadSeconds,
    upload: (jobId, name) =>
      getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: objectKeys.uploadedJobFile(jobId, name) }), {
        expiresIn: uploadSeconds,
      }),
    download: (jobId, name) =>
      getSignedUrl(
        s3,
        new GetObjectCommand({
          Bucket,
          Key: objectKeys.jobFile(jobId, name),
          ResponseContentDisposition: "attachment",
        }),
        { expiresIn: downloadSeconds },
      ),
    viewSeconds,
    capture: (jobId) =>
      getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: objectKeys.capturePackage(jobId) }), {
        expiresIn: viewSeconds,
      }),
  };
}
