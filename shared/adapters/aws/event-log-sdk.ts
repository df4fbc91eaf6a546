import { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";

export { FilterLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";

export const logs = new CloudWatchLogsClient({});
