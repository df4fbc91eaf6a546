import type { Page } from "../../console/page.ts";
import { archivePages } from "../../deliver/pages/archive.ts";
import { decideRefusedPages } from "../../deliver/pages/decide-refused.ts";
import { deliveryListPages } from "../../deliver/pages/deliveries.ts";
import { deliveryPages } from "../../deliver/pages/delivery.ts";
import { editRulePages } from "../../deliver/pages/edit-rule.ts";
import { originPages } from "../../deliver/pages/origins.ts";
import { previewPages } from "../../deliver/pages/preview.ts";
import { qualityPages } from "../../deliver/pages/quality.ts";
import { recordPages } from "../../deliver/pages/record.ts";
import { recordListPages } from "../../deliver/pages/records.ts";
import { refusedPages } from "../../deliver/pages/refused.ts";
import { rulePages } from "../../deliver/pages/rules.ts";
import { runPages } from "../../deliver/pages/run.ts";
import { addSourcePages } from "../../harvest/pages/add-source.ts";
import { checkRepositoryPages } from "../../harvest/pages/check-repository.ts";
import { deleteSourcePages } from "../../harvest/pages/delete-source.ts";
import { documentPages } from "../../harvest/pages/documents.ts";
import { editRecipePages } from "../../harvest/pages/edit-recipe.ts";
import { recipePages } from "../../harvest/pages/recipes.ts";
import { sourcePages } from "../../harvest/pages/source.ts";
import { sourceListPages } from "../../harvest/pages/sources.ts";
import { uploadPages } from "../../harvest/pages/upload.ts";
import { collectionPages } from "../../links/pages/collection.ts";
import { collectionListPages } from "../../links/pages/collections.ts";
import { linkReportPages } from "../../links/pages/link-report.ts";
import { indexReportPages } from "../../snapshots/pages/index-report.ts";
import { lookPages } from "../../snapshots/pages/look.ts";
import { snapshotPages } from "../../snapshots/pages/snapshot.ts";
import { snapshotListPages } from "../../snapshots/pages/snapshots.ts";
import { uploadedJobPages } from "../../snapshots/pages/uploaded-jobs.ts";
import { configurationVersionPages } from "./configuration-versions.ts";
import { eventPages } from "./events.ts";
import { failedMessagePages } from "./failed-messages.ts";
import { hostPages } from "./hosts.ts";
import { importPages } from "./import-configuration.ts";
import { importProgressPages } from "./import-progress.ts";
import { mailPages } from "./mails.ts";
import { searchPages } from "./search.ts";
import { todayPages } from "./today.ts";

/**
 * All pages and actions of the console, in the order of the navigation. If several of them match an address, the first
 * one responds.
 */
export const pages: readonly Page[] = [
  ...todayPages,
  ...runPages,
  ...sourceListPages,
  ...addSourcePages,
  ...checkRepositoryPages,
  ...importPages,
  ...configurationVersionPages,
  ...importProgressPages,
  ...recipePages,
  ...editRecipePages,
  ...sourcePages,
  ...qualityPages,
  ...uploadPages,
  ...deleteSourcePages,
  ...previewPages,
  ...recordListPages,
  ...originPages,
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
  ...failedMessagePages,
];
