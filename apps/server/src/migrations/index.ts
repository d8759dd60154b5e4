import type { Migration } from '../kernel/db/index.ts'
import { migration as foundation } from './0001-foundation.ts'
import { migration as uploads } from './0002-uploads.ts'
import { migration as files } from './0003-files.ts'
import { migration as hashKeys } from './0004-hash-keys.ts'
import { migration as mailAndNotices } from './0005-mail-and-notices.ts'
import { migration as portal } from './0006-portal.ts'
import { migration as intake } from './0007-intake.ts'
import { migration as settings } from './0008-settings.ts'
import { migration as sharedState } from './0009-shared-state.ts'
import { migration as eventSubscribers } from './0011-event-subscribers.ts'
import { migration as storages } from './0012-storages.ts'
import { migration as origins } from './0013-origins.ts'
import { migration as groups } from './0014-groups.ts'
import { migration as fileSteps } from './0015-file-steps.ts'
import { migration as administration } from './0016-administration.ts'
import { migration as consolePlaces } from './0017-console-places.ts'
import { migration as accountRules } from './0018-account-rules.ts'
import { migration as usersSearch } from './0019-users-search.ts'
import { migration as links } from './0020-links.ts'
import { migration as search } from './0021-search.ts'
import { migration as linkTargets } from './0022-link-targets.ts'
import { migration as transfers } from './0023-transfers.ts'
import { migration as accountLimits } from './0024-account-limits.ts'
import { migration as fileVersions } from './0025-file-versions.ts'
import { migration as storageRevisions } from './0026-storage-revisions.ts'
import { migration as spaceRevisions } from './0027-space-revisions.ts'
import { migration as transferTasks } from './0028-transfer-tasks.ts'
import { migration as removedAccounts } from './0029-removed-accounts.ts'
import { migration as linkRegisters } from './0030-link-registers.ts'
import { migration as linkGuests } from './0031-link-guests.ts'
import { migration as fileActivity } from './0032-file-activity.ts'
import { migration as webdav } from './0034-webdav.ts'
import { migration as authentication } from './0035-authentication.ts'
import { migration as serverState } from './0036-server-state.ts'
import { migration as transferLog } from './0037-transfer-log.ts'
import { migration as invitations } from './0038-invitations.ts'
import { migration as devices } from './0041-devices.ts'
import { migration as entryMarks } from './0044-entry-marks.ts'
import { migration as linkRecipients } from './0046-link-recipients.ts'
import { migration as signOn } from './0048-sign-on.ts'
import { migration as certificates } from './0050-certificates.ts'
import { migration as announcements } from './0052-announcements.ts'
import { migration as hooks } from './0053-hooks.ts'
import { migration as consoleViews } from './0055-console-views.ts'
import { migration as deviceOrigin } from './0056-device-origin.ts'
import { migration as transferHistory } from './0058-transfer-history.ts'
import { migration as linkAudiences } from './0063-link-audiences.ts'
import { migration as linkReminders } from './0064-link-reminders.ts'
import { migration as licences } from './0067-licences.ts'
import { migration as spaceRules } from './0069-space-rules.ts'
import { migration as linkRequests } from './0074-link-requests.ts'
import { migration as secondFactorOfRoles } from './0078-second-factor-of-roles.ts'
import { migration as hookPrograms } from './0079-hook-programs.ts'
import { migration as mounts } from './0082-mounts.ts'
import { migration as syslog } from './0083-syslog.ts'
import { migration as cleaning } from './0084-cleaning.ts'
import { migration as cleaningRounds } from './0088-cleaning-rounds.ts'
import { migration as syslogState } from './0089-syslog-state.ts'
import { migration as fullText } from './0091-full-text.ts'
import { migration as operatedServer } from './0094-server-state.ts'
import { migration as linkChecks } from './0097-link-checks.ts'
import { migration as previewLog } from './0098-preview-log.ts'
import { migration as saml } from './0105-saml.ts'
import { migration as acme } from './0110-acme.ts'
import { migration as databaseCopies } from './0115-database-copies.ts'
import { migration as archiveResumption } from './0129-archive-resumption.ts'
import { migration as placeMoves } from './0125-place-moves.ts'
import { migration as provisioning } from './0126-provisioning.ts'
import { migration as brandingImages } from './0128-branding-images.ts'
import { migration as spaceMoves } from './0131-space-moves.ts'
import { migration as clientUpgrades } from './0132-client-upgrades.ts'
import { migration as groupSpeeds } from './0133-group-speeds.ts'
import { migration as tickets } from './0134-tickets.ts'
import { migration as spaceSwitches } from './0135-space-switches.ts'
import { migration as connectedDevices } from './0136-connected-devices.ts'
import { migration as transferDeadlines } from './0138-transfer-deadlines.ts'
import { migration as bottleneckFigures } from './0139-bottleneck-figures.ts'
import { migration as fileJobNotes } from './0140-file-job-notes.ts'
import { migration as unconfirmedRenewals } from './0141-unconfirmed-renewals.ts'
import { migration as uploadTokens } from './0142-upload-tokens.ts'
import { migration as sealedLinks } from './0120-sealed-links.ts'

/** One timeline for all features. A migration that was released is never edited; a new one is added below. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-foundation': foundation,
  '0002-uploads': uploads,
  '0003-files': files,
  '0004-hash-keys': hashKeys,
  '0005-mail-and-notices': mailAndNotices,
  '0006-portal': portal,
  '0007-intake': intake,
  '0008-settings': settings,
  '0009-shared-state': sharedState,
  '0011-event-subscribers': eventSubscribers,
  '0012-storages': storages,
  '0013-origins': origins,
  '0014-groups': groups,
  '0015-file-steps': fileSteps,
  '0016-administration': administration,
  '0017-console-places': consolePlaces,
  '0018-account-rules': accountRules,
  '0019-users-search': usersSearch,
  '0020-links': links,
  '0021-search': search,
  '0022-link-targets': linkTargets,
  '0023-transfers': transfers,
  '0024-account-limits': accountLimits,
  '0025-file-versions': fileVersions,
  '0026-storage-revisions': storageRevisions,
  '0027-space-revisions': spaceRevisions,
  '0028-transfer-tasks': transferTasks,
  '0029-removed-accounts': removedAccounts,
  '0030-link-registers': linkRegisters,
  '0031-link-guests': linkGuests,
  '0032-file-activity': fileActivity,
  '0034-webdav': webdav,
  '0035-authentication': authentication,
  '0036-server-state': serverState,
  '0037-transfer-log': transferLog,
  '0038-invitations': invitations,
  '0041-devices': devices,
  '0044-entry-marks': entryMarks,
  '0046-link-recipients': linkRecipients,
  '0048-sign-on': signOn,
  '0050-certificates': certificates,
  '0052-announcements': announcements,
  '0053-hooks': hooks,
  '0055-console-views': consoleViews,
  '0056-device-origin': deviceOrigin,
  '0058-transfer-history': transferHistory,
  '0063-link-audiences': linkAudiences,
  '0064-link-reminders': linkReminders,
  '0067-licences': licences,
  '0069-space-rules': spaceRules,
  '0074-link-requests': linkRequests,
  '0078-second-factor-of-roles': secondFactorOfRoles,
  '0079-hook-programs': hookPrograms,
  '0082-mounts': mounts,
  '0083-syslog': syslog,
  '0084-cleaning': cleaning,
  '0088-cleaning-rounds': cleaningRounds,
  '0089-syslog-state': syslogState,
  '0091-full-text': fullText,
  '0094-server-state': operatedServer,
  '0097-link-checks': linkChecks,
  '0098-preview-log': previewLog,
  '0105-saml': saml,
  '0110-acme': acme,
  '0115-database-copies': databaseCopies,
  '0120-sealed-links': sealedLinks,
  '0125-place-moves': placeMoves,
  '0126-provisioning': provisioning,
  '0128-branding-images': brandingImages,
  '0129-archive-resumption': archiveResumption,
  '0131-space-moves': spaceMoves,
  '0132-client-upgrades': clientUpgrades,
  '0133-group-speeds': groupSpeeds,
  '0134-tickets': tickets,
  '0135-space-switches': spaceSwitches,
  '0136-connected-devices': connectedDevices,
  '0138-transfer-deadlines': transferDeadlines,
  '0139-bottleneck-figures': bottleneckFigures,
  '0140-file-job-notes': fileJobNotes,
  '0141-unconfirmed-renewals': unconfirmedRenewals,
  '0142-upload-tokens': uploadTokens,
}

/** Rows that migrations put into a new database, by table. A copy of another database brings its own. */
export const SEEDED_ROWS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  spaces: { id: 1, created_at: 0 },
}
