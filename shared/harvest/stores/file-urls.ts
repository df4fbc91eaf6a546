import { variable } from "../../adapters/aws/environment.ts";
import { downloadUrl, uploadSeconds, uploadUrl } from "../../adapters/aws/presigned-urls.ts";
import { objectKeys } from "../../names.ts";
import type { FileUrls } from "../uploads/file-urls.ts";

/** Provides URLs of files of uploads and documents. */
export function fileUrls(): FileUrls {
  const uploads = variable("documentUploadsBucket");
  const files = variable("filesBucket");
  return {
    uploadSeconds,
    upload: (uploadId, fileId) =>
      uploadUrl({ Bucket: uploads, Key: objectKeys.uploadedFile(uploadId, fileId) }),
    download: (Key) => downloadUrl({ Bucket: files, Key }),
  };
}
