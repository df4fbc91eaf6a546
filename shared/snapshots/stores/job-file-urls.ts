import { variable } from "../../adapters/aws/environment.ts";
import { downloadUrl, objectUrl, uploadSeconds, uploadUrl } from "../../adapters/aws/presigned-urls.ts";
import { objectKeys } from "../../names.ts";
import type { JobFileUrls } from "../jobs/job-file-urls.ts";

/** The validity of a URL for viewers, which read a package in parts. */
const viewSeconds = 3600;

/** Creates URLs of the files of captures. */
export function jobFileUrls(): JobFileUrls {
  const Bucket = variable("snapshotsBucket");
  return {
    uploadSeconds,
    upload: (jobId, name) => uploadUrl({ Bucket, Key: objectKeys.uploadedJobFile(jobId, name) }),
    download: (jobId, name) => downloadUrl({ Bucket, Key: objectKeys.jobFile(jobId, name) }),
    viewSeconds,
    capture: (jobId) => objectUrl({ Bucket, Key: objectKeys.capturePackage(jobId) }, viewSeconds),
  };
}
