import type { Service } from "../service.ts";

const disposition = "response-content-disposition";

/**
 * Adds the response header that a presigned download URL asks for, because fauxqs ignores this parameter.
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
