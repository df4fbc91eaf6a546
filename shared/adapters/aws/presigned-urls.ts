import type { JobFileUrls } from "../../api/capture-job-routes.ts";
import type { FileUrls } from "../../api/upload-routes.ts";
import { objectKeys } from "../../names.ts";
import { variable } from "./environment.ts";

/** How long a URL works. */
const uploadSeconds = 3600;
const downloadSeconds = 300;
/** A viewer reads a package bit by bit. */
const viewSeconds = 3600;

/** Loaded when a URL is wanted: it takes 20 ms. */
const load = () => import("./sign-url.ts");

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
    async upload(uploadId, fileId) {
      const Key = objectKeys.uploadedFile(uploadId, fileId);
      return (await load()).signPut({ Bucket: uploads, Key }, uploadSeconds);
    },
    download: (Key) => download(files, Key),
    downloadDelivery: ({ key, fileName }) => download(deliveries, key, `; filename="${fileName}"`),
  };
}

/** URLs of files of captures. */
export function jobFileUrls(): JobFileUrls {
  const Bucket = variable("snapshotsBucket");
  return {
    uploadSeconds,
    async upload(jobId, name) {
      const Key = objectKeys.uploadedJobFile(jobId, name);
      return (await load()).signPut({ Bucket, Key }, uploadSeconds);
    },
    download: (jobId, name) => download(Bucket, objectKeys.jobFile(jobId, name)),
    viewSeconds,
    async capture(jobId) {
      return (await load()).signGet({ Bucket, Key: objectKeys.capturePackage(jobId) }, viewSeconds);
    },
  };
}

/** A URL of a file that browsers save. */
async function download(Bucket: string, Key: string, name = ""): Promise<string> {
  const { signGet } = await load();
  return signGet({ Bucket, Key, ResponseContentDisposition: `attachment${name}` }, downloadSeconds);
}
