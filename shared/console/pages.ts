import { addSourcePages } from "./add-source.ts";
import { archivePages } from "./archive.ts";
import { collectionPages } from "./collection.ts";
import { collectionListPages } from "./collections.ts";
import { configurationVersionPages } from "./configuration-versions.ts";
import { decideRefusedPages } from "./decide-refused.ts";
import { deliveryListPages } from "./deliveries.ts";
import { deliveryPages } from "./delivery.ts";
import { documentPages } from "./documents.ts";
import { editRulePages } from "./edit-rule.ts";
import { eventPages } from "./events.ts";
import { hostPages } from "./hosts.ts";
import { importPages } from "./import-configuration.ts";
import { importProgressPages } from "./import-progress.ts";
import { indexReportPages } from "./index-report.ts";
import { linkReportPages } from "./link-report.ts";
import { lookPages } from "./look.ts";
import { mailPages } from "./mails.ts";
import type { Page } from "./page.ts";
import { previewPages } from "./preview.ts";
import { recordPages } from "./record.ts";
import { recordListPages } from "./records.ts";
import { refusedPages } from "./refused.ts";
import { rulePages } from "./rules.ts";
import { runPages } from "./run.ts";
import { searchPages } from "./search.ts";
import { snapshotPages } from "./snapshot.ts";
import { snapshotListPages } from "./snapshots.ts";
import { sourcePages } from "./source.ts";
import { sourceListPages } from "./sources.ts";
import { todayPages } from "./today.ts";
import { uploadedJobPages } from "./uploaded-jobs.ts";

/**
 * Every page of the console and every action of one: the one table of it, in the order of the navigation. Of two that match an
 * address, the first one answers.
 */
export const pages: readonly Page[] = [
  ...todayPages,
  ...runPages,
  ...sourceListPages,
  ...addSourcePages,
  ...importPages,
  ...configurationVersionPages,
  ...importProgressPages,
  ...sourcePages,
  ...previewPages,
  ...recordListPages,
  ...recordPages,
  ...refusedPages,
  ...decideRefusedPages,
  ...rulePages,
  ...editRulePages,
  ...deliveryListPages,
  ...deliveryPages,
  ...archivePages,
  ...searchPages,
  ...collectionListPages,
  ...collectionPages,
  ...linkReportPages,
  ...documentPages,
  ...snapshotListPages,
  ...snapshotPages,
  ...lookPages,
  ...indexReportPages,
  ...uploadedJobPages,
  ...hostPages,
  ...mailPages,
  ...eventPages,
];
