/** What is granted and not used by any test, and why it stays. */
export const explained: { fn?: RegExp; action: RegExp; resource?: RegExp; why: string }[] = [
  {
    action: /^logs:/,
    why: "Lambda writes the log of a function with its role. The local cloud writes a file.",
  },
  {
    action: /^sqs:GetQueueUrl$/,
    why: "The CDK grants it with each event source.",
  },
];
