/** What is granted and not used by any test, and why it stays. */
export const explained: { fn?: RegExp; action: RegExp; resource?: RegExp; why: string }[] = [
  {
    action: /^logs:/,
    why: "Lambda writes the log of a function with its role. The local cloud writes a file.",
  },
  {
    action: /^sqs:ChangeMessageVisibility$/,
    why: "A message that has failed waits for its next try. Not each reader fails in a test.",
  },
  {
    action: /^ses:Send(Raw)?Email$/,
    why: "SES asks for one or the other by the content of the mail, and for that of the configuration set.",
  },
  {
    action: /^s3:ListBucket$/,
    why: "Without it, S3 answers 403 for an object that is not there. Not each reader misses one in a test.",
  },
  {
    fn: /-(validate|upload|archive)-records$|-find-overdue$|-send-report$/,
    action: /^(sqs:SendMessage|dynamodb:UpdateItem)$/,
    resource: /ingather-(reports|runs)$/,
    why: "A stage that fails for good marks its run and asks for the mail. Not each stage fails in a test.",
  },
  {
    fn: /-(send|admit)-requests$/,
    action: /^sqs:SendMessage$/,
    resource: /ingather-rejected-requests-dead\.fifo$/,
    why: "What is malformed is put aside: the tests of the gate do so in memory.",
  },
  {
    fn: /-(probe-network|generate-jobs|finish-capture)$/,
    action: /^(dynamodb:|s3:PutObject$)/,
    resource: /(table\/ingather-(leases|sent-mails)|\/mails\/\*)$/,
    why: "They mail what has failed, and how our network is: in the tests of the cloud it does not.",
  },
  {
    action: /^dynamodb:GetItem$/,
    resource: /table\/ingather-leases$/,
    why: "Who finds a lease taken reads until when.",
  },
  {
    action: /^secretsmanager:GetSecretValue$/,
    resource: /ingather\/sparql/,
    why: "The endpoint of the tests has no login.",
  },
  {
    action: /^sqs:GetQueueUrl$/,
    why: "The CDK grants it with each event source.",
  },
  {
    fn: /read-oai-page/,
    action: /^sqs:SendMessage$/,
    resource: /oai-responses/,
    why: "A list of more documents than one invocation can reconcile goes on in a new message.",
  },
];
