import type { FilesDeps } from '../../content/files/index.ts'
import type { Intake } from '../../content/intake/index.ts'
import type { RunningDownloads } from '../../content/downloads/index.ts'
import type { Watermarks } from '../../content/previews/index.ts'
import type { Sealing } from '../../content/sealed-bodies/index.ts'
import type { Conversions } from '../../foundation/conversions/index.ts'
import type { MailSystem } from '../../foundation/mail/index.ts'
import type { Pictures } from '../../foundation/pictures/index.ts'
import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { createTickets } from '../../identity/tickets/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { push } from '../../kernel/push.ts'
import type { Periodic } from '../../kernel/schedule.ts'
import { followSubscriptions } from './link-follow.ts'
import { expectedOf } from './link-requests.ts'
import { mailSubscriptions } from './link-recipients.ts'
import { guestFolder, linkPlaces } from './link-place.ts'
import { sweepLinks } from './links.changes.ts'
import { mailDigests } from './links.digest.ts'
import { adminLinkEndpoints } from './links.console.ts'
import type { LinksDeps } from './links.deps.ts'
import { remindOwners } from './links.reminders.ts'
import { linkEndpoints } from './links.routes.ts'
import { linksStore } from './links.store.ts'
import { LINK_SETTINGS } from './links.settings.ts'
import { brought } from './links.subscribers.ts'
import { plainEndpoints } from './plain.endpoints.ts'
import { receivedEndpoints } from './received.routes.ts'
import { createRunningVisits, isVisiting, RECHECK_MS } from './running-visits.ts'
import type { VisitDownloadsDeps } from './visit-downloads.ts'
import { answersBeforeVisit, visitEndpoints, visitRawEndpoints } from './visits.routes.ts'
import { VISIT_PREFIX, visitAuthenticator } from './visits.service.ts'

export interface LinksFeatureDeps {
  readonly files: FilesDeps
  readonly intake: Intake
  readonly downloads: RunningDownloads
  readonly pictures: Pictures
  readonly conversions: Conversions
  readonly watermarks: Watermarks
  readonly settings: Settings
  readonly mail: MailSystem
  readonly sealing: Sealing
  readonly state: ServerState
}

/** Ids that no link has, by one address. */
const MISSES = { name: 'links.misses', calls: 30, periodMs: 60_000 } as const
/** People that somebody looks for to name them in a link. */
const SEARCHES = { name: 'links.people', calls: 120, periodMs: 60_000 } as const
const SWEEP_MS = 10_000
const DIGEST_MS = 60_000

export function linksFeature(
  kernel: Kernel,
  { downloads, pictures, conversions, watermarks, intake, state, ...given }: LinksFeatureDeps,
): Feature {
  const deps: LinksDeps = { ...kernel, ...given, publicUrl: kernel.config.publicUrl }
  const running = createRunningVisits(deps)
  const visits: VisitDownloadsDeps = {
    ...deps,
    ...{ downloads, pictures, conversions, watermarks, running, state },
    misses: kernel.limits.callLimit(MISSES),
    tickets: createTickets(kernel, {
      purpose: 'link',
      renew: async (guest) => ((await isVisiting(deps, guest)) ? guest : undefined),
    }),
  }
  given.files.access.place('link', linkPlaces(deps))
  given.files.access.guests({
    folder: (guest) => guestFolder(deps, guest),
    expected: (guest, file) => expectedOf(deps, guest, file),
    name: async (linkId) => (await linksStore.byId(kernel.db, linkId))?.label ?? '',
  })
  return defineFeature({
    name: 'links',
    settings: LINK_SETTINGS,
    endpoints: [
      ...linkEndpoints({ ...deps, searches: kernel.limits.callLimit(SEARCHES) }),
      ...adminLinkEndpoints(deps),
      ...visitEndpoints(visits),
      ...receivedEndpoints(visits),
    ],
    raw: [...visitRawEndpoints(visits), ...plainEndpoints({ ...visits, intake })],
    pageAnswers: [{ under: '/share', answers: (ctx, path) => answersBeforeVisit(visits, ctx, path) }],
    on: {
      'file.committed': brought(deps),
      'folder.made': brought(deps),
      ...followSubscriptions(kernel),
      ...mailSubscriptions,
    },
    push: [
      push('links.received', {
        signal: 'links.received',
        to: ({ userId }) => userId,
        message: () => ({}),
      }),
    ],
    credentials: { prefix: VISIT_PREFIX, ...visitAuthenticator(deps) },
    every: [
      { name: 'running-visits', everyMs: RECHECK_MS, work: () => running.recheck() },
      ...schedule(kernel, given, deps),
    ],
    stop: () => Promise.resolve(running.stop()),
  })
}

/** What is done without anybody asking, by one node. */
function schedule(
  kernel: Kernel,
  given: Pick<LinksFeatureDeps, 'mail' | 'settings'>,
  deps: LinksDeps,
): readonly Periodic[] {
  return [
    {
      name: 'link-digests',
      everyMs: DIGEST_MS,
      onOneNode: true,
      work: () => mailDigests({ ...kernel, mailer: given.mail.mailer }),
    },
    {
      name: 'link-ends',
      everyMs: DIGEST_MS,
      onOneNode: true,
      work: () => remindOwners({ ...kernel, ...given, mailer: given.mail.mailer }),
    },
    { name: 'expired-links', everyMs: SWEEP_MS, onOneNode: true, work: () => sweepLinks(deps) },
  ]
}
