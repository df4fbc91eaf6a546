/** URLs of single files of jobs, which work for a while. */
export interface JobFileUrls {
  uploadSeconds: number;
  /** Where a file of a job that was done elsewhere is put. */
  upload(jobId: number, name: string): Promise<string>;
  download(jobId: number, name: string): Promise<string>;
  viewSeconds: number;
  /** The capture of a job, packed. */
  capture(jobId: number): Promise<string>;
}
