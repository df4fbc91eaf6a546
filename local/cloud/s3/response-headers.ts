import type { Service } from "../service.ts";

const disposition = "response-content-disposition";

/**
 * Answers reads of objects with the header that their address asks for, as of a signed link to a download: fauxqs ignores
 * it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */
export function withResponseHeaders(service: Service): Service {
  return async (request) => {
    const answer = await service(request);
    const wanted = request.query.get(disposition);
    const isRead = ["GET", "HEAD"].includes(request.method) && answer.status < 300;
    if (wanted === null || !isRead) return answer;
    return { ...answer, headers: { ...answer.headers, "content-disposition": wanted } };
  };
}
