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
