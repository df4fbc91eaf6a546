/** Returns URLs of single files of jobs. They expire after a while. */
export interface JobFileUrls {
  uploadSeconds: number;
  /** Returns the URL for the upload of a file of a job that another crawler has run. */
  upload(jobId: number, name: string): Promise<string>;
  download(jobId: number, name: string): Promise<string>;
  viewSeconds: number;
  /** Returns the URL of a job's packed capture. */
  capture(jobId: number): Promise<string>;
}
