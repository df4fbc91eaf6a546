/** What is granted and not used by any test, and why it stays. */
export const explained: { fn?: RegExp; action: RegExp; resource?: RegExp; why: string }[] = [
  {
    action: /^logs:/,
    why: "Lambda writes the log of a function with its role. The local cloud writes a file.",
  },
  {
    fn: /-(admit-requests|archive-records|begin-capture|delete-documents|deliver-updates|detect-source|find-overdue|finish-capture|import-configuration|judge-link|pack-capture|plan-index|read-[a-z-]+|reconvert-records|record-index|register-set|resend-file|send-report|start-harvest|store-item|test-rule|upload-records|validate-records)$/,
    action: /^sqs:ChangeMessageVisibility$/,
    why: "A message that has failed waits for its next try (test/shared/runtime/sqs.test.ts). In the tests of the cloud these fail by chance or not at all.",
  },
  {
    action: /^ses:Send(Raw)?Email$/,
    why: "SES asks for one or the other by the content of the mail, and for that of the configuration set.",
  },
  {
    fn: /-read-capture$/,
    action: /^s3:ListBucket$/,
    why: "Without it, S3 answers 403 for an object that is not there. In the tests of the cloud it misses none.",
  },
  {
    fn: /-(validate|upload|archive)-records$|-find-overdue$|-send-report$/,
    action: /^(sqs:SendMessage|dynamodb:UpdateItem)$/,
    resource: /ingather-(reports|runs)$/,
    why: "A stage that fails permanently marks its run and asks for the mail. Not each stage fails in a test.",
  },
  {
    fn: /-(validate|upload|archive)-records$/,
    action: /^sqs:SendMessage$/,
    resource: /ingather-(validate|upload|archive)$/,
    why: "Runs of more than 4,000 records are divided into parts (test/shared/deliver/pipeline/divided-run.test.ts).",
  },
  {
    fn: /-(reconvert-records|deliver-updates)$/,
    action: /^(sqs:SendMessage|dynamodb:UpdateItem)$/,
    resource: /ingather-(reconversions|updates|runs)$/,
    why: "Reconversions of more than 100 records are divided into parts (test/shared/deliver/updates/updates.long.test.ts).",
  },
  {
    fn: /-reconvert-records$/,
    action: /^(sqs:SendMessage|dynamodb:(BatchGetItem|PartiQLInsert)|s3:GetObject)$/,
    resource: /ingather-(requests\.fifo|authorities|documents|runs|records-\S+documents\/\*)$/,
    why: "Documents are converted from their contents, and new names are looked up (test/shared/harvest/article/reconvert-record.test.ts).",
  },
  {
    fn: /-deliver-updates$/,
    action: /^(dynamodb:DeleteItem|secretsmanager:GetSecretValue)$/,
    resource: /ingather(-archive|\/sftp\/)/,
    why: "A key that another record has is released, and files go to receivers by SFTP (test/shared/deliver/updates/updates.test.ts).",
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
    fn: /-(judge-link|record-index|report-links|send-report|send-requests|upload-records)$/,
    action: /^dynamodb:GetItem$/,
    resource: /table\/ingather-leases$/,
    why: "Who finds a lease taken reads until when (test/cloud/stores). Here nobody is in their way.",
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
    fn: /-read-(feed|crawled-page|mail)$/,
    action: /^sqs:SendMessage$/,
    resource: /ingather-validate$/,
    why: "Who ends last starts the delivery (test/shared/harvest): of a run without news that is a list.",
  },
  {
    fn: /-read-(article|authority|doi-metadata|mail|oai-page)$/,
    action: /^(dynamodb:(BatchGetItem|PartiQLInsert)|s3:GetObject)$/,
    resource: /(table\/ingather-runs|\/runs\/\*)$/,
    why: "Whether an article has an outcome already is read of those that come twice, and stored for those that are listed (test/shared/harvest).",
  },
  {
    fn: /-read-(article|authority|doi-metadata)$|-send-requests$/,
    action: /^(dynamodb:BatchGetItem|s3:GetObject|sqs:SendMessage)$/,
    resource:
      /(table\/ingather-authorities|ingather-responses-[^/]+\/\*|ingather-(authority|doi-metadata|article)-responses)$/,
    why: "Names and DOIs are looked up where a group asks for it (test/shared/harvest/authority, test/shared/harvest/doi-agencies).",
  },
  {
    fn: /-read-(oai-page|upload)$/,
    action: /^(dynamodb:(GetItem|Query|UpdateItem)|sqs:SendMessage)$/,
    resource: /(table\/ingather-(documents|records)|ingather-(document-uploads|requests\.fifo))$/,
    why: "A full list deletes what it no longer has, a change asks for new files, and many of them continuein a new message (test/shared/harvest/oai, test/shared/records/documents).",
  },
  {
    fn: /-send-requests$/,
    action: /^sqs:SendMessage$/,
    resource: /ingather-requests\.fifo$/,
    why: "A redirect to another host waits in the queue of that one (test/shared/web/gate): here none leads to another.",
  },
  {
    fn: /-publish-changes$/,
    action: /^(dynamodb:|events:PutEvents|sqs:SendMessage)/,
    resource:
      /(table\/ingather-(configuration|documents|items|source-status)|event-bus\/ingather|ingather-requests\.fifo)$/,
    why: "It publishes what a killed function has left (test/shared/records/documents): here each publishes its own. It decides on files that were missed a day ago (test/shared/harvest/items).",
  },
  {
    fn: /-poll-sources$/,
    action: /^(dynamodb:|s3:|sqs:SendMessage)/,
    resource: /(table\/ingather-(archive|configuration|runs)|\/runs\/\*|ingather-mail-readings)$/,
    why: "It starts the reading of each type of source when that is due (test/shared/harvest/polls); the test of the cloud polls one type.",
  },
  {
    fn: /-change-source$/,
    action: /^dynamodb:(GetItem|UpdateItem)$/,
    resource: /table\/ingather-(runs|source-status)$/,
    why: "A source that is deleted ends its long harvest (test/shared/records/sources/source-events.test.ts).",
  },
  {
    fn: /-(delete-documents|change-source)$/,
    action: /^(dynamodb:|events:PutEvents|sqs:SendMessage)/,
    resource:
      /(table\/ingather-(documents|items)|event-bus\/ingather|ingather-(document-deletions|requests\.fifo))$/,
    why: "The documents of a deleted source are deleted with their files, in several messages (test/shared/harvest/delete-documents.test.ts).",
  },
  {
    fn: /-read-upload$/,
    action: /^dynamodb:UpdateItem$/,
    resource: /table\/ingather-source-status$/,
    why: "A folder that lacks files notes what it deletes or holds (test/shared/harvest/upload/read-upload.test.ts).",
  },
  {
    fn: /-start-harvest$/,
    action: /^(dynamodb:GetItem|s3:GetObject|sqs:SendMessage)$/,
    resource: /(table\/ingather-configuration|\/runs\/\*|ingather-(upload|archive|overdue|reports))$/,
    why: "A start continues with a run that has failed, at its stage (test/shared/deliver/pipeline/resume.test.ts).",
  },
  {
    fn: /-(plan-index|build-index-part|generate-jobs)$/,
    action: /^(dynamodb:(GetItem|Query)|s3:PutObject|sqs:SendMessage|events:PutEvents)$/,
    resource:
      /(table\/ingather-(index-builds|captured-urls\/index\/by-wanted)|\/indexes\/\*|ingather-(captured-jobs|index-requests)|event-bus\/ingather)$/,
    why: "A build that continues after a crash, a snapshot without jobs to index, and jobs whose messages were lost (test/shared/snapshots).",
  },
  {
    fn: /-record-index$/,
    action: /^s3:PutObject$/,
    resource: /\/seeds\/\*$/,
    why: "Seeds that an earlier version kept in the item of their definition (test/cloud/large-items.long.test.ts).",
  },
  {
    fn: /-finish-capture$/,
    action: /^dynamodb:UpdateItem$/,
    resource: /table\/ingather-captured-urls$/,
    why: "A job that has come to its limit gives up the URLs without an outcome (test/shared/snapshots/jobs/finish-job.test.ts).",
  },
  {
    fn: /-judge-link$/,
    action: /^(dynamodb:GetItem|s3:GetObject|sqs:SendMessage)$/,
    resource: /(table\/ingather-link-sweeps|ingather-responses-[^/]+\/\*|ingather-requests\.fifo)$/,
    why: "A page too large for a message, a sweep that is judged twice, and a check that a hold has postponed (test/shared/links).",
  },
  {
    fn: /-probe-network$/,
    action: /^(dynamodb:(PutItem|UpdateItem)|events:PutEvents)$/,
    resource: /(table\/ingather-flags|event-bus\/ingather)$/,
    why: "Our network fails in the tests in memory only (test/shared/web).",
  },
  {
    fn: /-(operator|snapshots)-api$/,
    action: /^dynamodb:DeleteItem$/,
    resource: /table\/ingather-keyed-requests$/,
    why: "A request that fails frees its Idempotency-Key (test/shared/api/idempotency.test.ts).",
  },
  {
    fn: /-operator-api$/,
    action: /^(dynamodb:(PutItem|UpdateItem)|s3:GetObject)$/,
    resource: /(table\/ingather-(collections|runs)|\/documents\/\*)$/,
    why: "A new collection, an OAI-PMH harvest that is stopped, a document's metadata (test/shared/api).",
  },
  {
    fn: /-public-api$/,
    action: /^dynamodb:Query$/,
    resource: /table\/ingather-link-checks$/,
    why: "The history of a record's link (test/shared/api/public-link-routes.test.ts).",
  },
  {
    fn: /-validate-records$/,
    action: /^dynamodb:Query$/,
    resource: /table\/ingather-delinquent-records$/,
    why: "What operators have released (test/shared/deliver/refused/released.test.ts); the tests of the cloud use the index.",
  },
  {
    fn: /read-oai-page/,
    action: /^sqs:SendMessage$/,
    resource: /oai-responses/,
    why: "A list of more documents than one invocation can reconcile continues in a new message.",
  },
];
