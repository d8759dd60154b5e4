import path from 'node:path'
import { EMAIL_SENDER } from '@godwit/contract'
import { secureRandom, systemClock, type Clock, type Random } from '@godwit/base'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { documentationPages, type Documentation } from './edge/documentation/index.ts'
import { healthPages } from './edge/health/index.ts'
import { createClientSockets } from './edge/client-socket/index.ts'
import { createFileSockets } from './edge/file-socket/index.ts'
import { createContextFactory, portalPages, type PortalFiles, startHttpServer } from './edge/http/index.ts'
import { tusEndpoints } from './edge/tus/index.ts'
import { brandingRawEndpoints, openBranding } from './foundation/branding/index.ts'
import { openClientPackages } from './foundation/client-packages/index.ts'
import { CLIENT_VERSION, createSettings, PROTOCOL_VERSION, settingsEndpoints } from './foundation/settings/index.ts'
import { mailEndpoints, openMail, senderAddress, SYSTEM } from './foundation/mail/index.ts'
import { openStorages, type Storages } from './foundation/storages/index.ts'
import {
  authEndpoints,
  createSessions,
  forgetSignIns,
  keepFailures,
  purgeCodes,
  type AuthDeps,
} from './identity/auth/index.ts'
import { loadJobPrincipal } from './identity/principals/index.ts'
import { createChallenges } from './identity/passkeys/index.ts'
import { securityEndpoints, type SecurityDeps } from './identity/security/index.ts'
import { createFirstAdministrator, isSetupNeeded, offerSetup, setupEndpoints } from './identity/setup/index.ts'
import { preferencesStore, usersStore, type UsersDeps } from './identity/users/index.ts'
import { databaseUrl, type Config } from './kernel/config/index.ts'
import { createCallLimit } from './kernel/call-limit.ts'
import { openVault } from './kernel/crypto/index.ts'
import type { AccountPrincipal } from './kernel/principal.ts'
import { connectDatabase, migrateToLatest, type Database } from './kernel/db/index.ts'
import { createNotices, noticeEndpoints, subscribeNotices } from './oversight/notices/index.ts'
import { AppError } from './kernel/errors.ts'
import { createBus, createOutbox } from './kernel/events/index.ts'
import { createQueue } from './kernel/queue/index.ts'
import { timeOrderedIds } from './kernel/ids.ts'
import { purgeDue, recycleOperations, type RecycleDeps } from './content/recycle/index.ts'
import { createQuotas } from './content/quotas/index.ts'
import {
  createDownloads,
  downloadEndpoints,
  downloadOperations,
  downloadRawEndpoints,
} from './content/downloads/index.ts'
import { createFiles, createFolderWatch, fileJobsOperations, filesOperations } from './content/files/index.ts'
import { spacesEndpoints } from './content/spaces/index.ts'
import { clientEndpoints, clientRawEndpoints, createClients, type PackageTicket } from './exchange/clients/index.ts'
import { createTickets } from './identity/tickets/index.ts'
import { createIntake, openIntakeDeps } from './content/intake/index.ts'
import { PackMemory, uploadEndpoints, uploadRawEndpoints } from './content/uploads/index.ts'
import { MIGRATIONS } from './migrations/index.ts'

export interface AppOptions {
  readonly config: Config
  /** Stores of the spaces, closed with the app. Default: one local disk below the data folder. */
  readonly storages?: Storages
  readonly log: Logger
  /** Built pages of the portal; undefined serves the API alone. */
  readonly portal: PortalFiles | undefined
  readonly documentation: Documentation | undefined
  readonly clock?: Clock
  readonly random?: Random
}

export interface App {
  readonly url: string
  /** One-time token of the first set-up, or undefined when an administrator exists. */
  readonly setupToken: string | undefined
  /** @param onStep told the name of each step before it is taken */
  stop(onStep?: (step: string) => void): Promise<void>
}

const GRACE_MS = 5_000
/** Look-ups of an account by its address, for each caller's address. */
const LOOK_UPS = { calls: 60, periodMs: 60_000 } as const
/** Test mails of one account. */
const MAIL_TESTS = { calls: 10, periodMs: 60_000 } as const
const SWEEP_MS = 60_000
const HOUSEKEEPING_MS = 3_600_000
const DAY_MS = 24 * 3_600_000
/** How long ended jobs can be looked at. */
const JOB_HISTORY_MS = 7 * DAY_MS

/** Starts everything. @throws whatever keeps it from starting, with nothing left open */
export async function startApp(options: AppOptions): Promise<App> {
  const database = connectDatabase(databaseUrl(options.config))
  try {
    return await assemble(database, options)
  } catch (thrown) {
    // Open connections would keep a process alive that told why it cannot start.
    await database.close()
    throw thrown
  }
}

/** The only place that knows every part: kernel, then features layer by layer, then the edges. */
async function assemble(
  database: Database,
  { config, log, portal, documentation, storages: given, clock = systemClock, random = secureRandom }: AppOptions,
): Promise<App> {
  await migrateToLatest(database, MIGRATIONS)
  const { db, dialect } = database
  const ids = timeOrderedIds(clock, random)
  const bus = createBus((name, thrown) => log.error({ err: thrown, signal: name }, 'a listener failed'))
  const outbox = createOutbox({ db, clock, log })
  const storages =
    given ??
    (await openStorages({
      data: config.data,
      reserveBytes: config['storage.reserveBytes'],
      clock,
      random,
    }))

  const settings = createSettings({ db, clock, log })
  const branding = openBranding({ data: config.data, clock, random })
  const clientPackages = openClientPackages(config.data)
  const listening: { port: number } = { port: config.port }
  const vault = openVault(config.data, random)
  const mail = openMail({
    ...{ config, database, clock, random, ids, bus, log, vault },
    port: () => listening.port,
    productName: async (locale) => {
      const { productNameZH, productNameEN } = await settings.current()
      return locale === 'zh-CN' ? productNameZH : productNameEN
    },
  })
  const users: UsersDeps = { db, clock, random, ids, bus, passwordPreset: config['security.passwordPreset'] }
  const sessions = createSessions({ db, clock, random, ids, bus, idleMs: config['security.idleMinutes'] * 60_000 })
  const auth: AuthDeps = {
    db,
    dialect,
    clock,
    random,
    vault,
    mailer: mail.mailer,
    switches: () => settings.current(),
    lookUps: createCallLimit(clock, LOOK_UPS),
    sessions,
    users,
    accountRule: { attempts: config['security.lockAttempts'], windowMs: config['security.lockMinutes'] * 60_000 },
    versions: { protocol: PROTOCOL_VERSION, client: CLIENT_VERSION },
  }
  keepFailures({ db, clock, ids, bus, log })
  const security: SecurityDeps = {
    auth,
    ids,
    passkeys: { db, clock, ids, challenges: createChallenges(clock) },
    publicUrl: config.publicUrl,
    siteName: async () => (await settings.current()).productNameEN,
    passkeyLogins: createCallLimit(clock, LOOK_UPS),
  }
  const setup = { db, random, users, auth, state: { tokenHash: undefined } }
  await createConfiguredAdministrator(config, users)
  const setupToken = await offerSetup(setup)

  const quotas = createQuotas({ db, dialect, defaultBytes: config['user.quotaBytes'] })
  const cacheFolder = path.join(config.data, 'cache', 'listings')
  const files = createFiles({ storages, db, bus, clock, log }, { cacheFolder, random })
  const intakeDeps = openIntakeDeps({
    ...{ db, clock, random, ids, bus, outbox, log, files, quotas, sessions },
    limits: {
      maxBytes: config['upload.maxBytes'],
      partBytes: config['upload.partBytes'],
      grantMs: config['upload.grantHours'] * 3_600_000,
    },
  })
  const intake = createIntake(intakeDeps)
  await intake.start()

  const downloads = createDownloads({
    files,
    random,
    keepAlive: (sessionId) => sessions.keepAlive(sessionId),
    renew: (principal) => sessions.renew(principal),
  })
  const queue = createQueue({ database, clock, random, ids, bus, log })
  const recycle: RecycleDeps = { files, db, queue, quotas, principalOf: (job) => loadJobPrincipal(db, job), ids }
  const operations = [
    ...filesOperations(files),
    ...fileJobsOperations(recycle),
    ...recycleOperations(recycle),
    ...downloadOperations(downloads),
  ]

  const clients = createClients({ settings, bus })
  const clientDeps = {
    clients,
    packages: clientPackages,
    tickets: createTickets<PackageTicket>({ clock, random, bus }),
    renew: (principal: AccountPrincipal) => sessions.renew(principal),
  }

  const notices = createNotices({ db, clock, ids, bus, mailer: mail.mailer })
  const stopNotices = subscribeNotices(notices, { db, clock, log, outbox, queue, usageOf: quotas.usageOf })
  const endpoints = [
    ...settingsEndpoints({
      settings,
      siteFacts: async () => ({
        setupNeeded: await isSetupNeeded(db),
        passwordPreset: config['security.passwordPreset'],
        clientPackages: await clientPackages.present(),
        images: await branding.addresses(),
      }),
      serviceFacts: async () => ({
        host: config.host,
        port: listening.port,
        clientsOnline: await clients.online(),
        emailAccount: await senderAddress(mail.senders, SYSTEM),
      }),
    }),
    ...authEndpoints(auth),
    ...setupEndpoints(setup),
    ...securityEndpoints(security),
    ...noticeEndpoints(notices),
    ...mailEndpoints({
      ...mail,
      accountOf: async (userId) => ({
        email: (await usersStore.byId(db, userId))?.email ?? '',
        mayOwnSender: (await preferencesStore.of(db, userId)).email_sender_type === EMAIL_SENDER.own,
      }),
      tests: createCallLimit(clock, MAIL_TESTS),
    }),
    ...spacesEndpoints({
      db,
      usageOf: quotas.usageOf,
      ownAddress: (userId) => senderAddress({ ...mail.senders, configured: undefined }, userId),
    }),
    ...uploadEndpoints(intake),
    ...downloadEndpoints(downloads),
    ...clientEndpoints(clientDeps),
  ]
  const contextOf = createContextFactory({ authenticator: sessions, random, trustedProxies: config.trustedProxies })
  const watch = createFolderWatch(files)
  const fileSockets = createFileSockets({
    operations,
    sessions,
    storages,
    watch,
    bus,
    contextOf,
    unreadOf: (userId) => notices.unread(userId),
    clock,
    log,
  })
  const clientSockets = createClientSockets({ clients, sessions, bus, contextOf, clock, log })
  const plugins = [
    healthPages({
      database: async () => void (await sql`select 1`.execute(db)),
      storage: () => checkStorages(storages),
    }),
    ...(documentation === undefined ? [] : [documentationPages(documentation)]),
    ...(portal === undefined ? [] : [portalPages(portal, settings)]),
  ]
  const http = await startHttpServer({
    host: config.host,
    port: config.port,
    endpoints,
    operations,
    rawEndpoints: [
      ...brandingRawEndpoints(branding),
      ...clientRawEndpoints(clientDeps),
      ...downloadRawEndpoints(downloads),
      ...uploadRawEndpoints(intake, { ...intakeDeps, memory: new PackMemory() }),
      ...tusEndpoints({ intake, ids, log }),
    ],
    contextOf,
    log,
    clock,
    plugins,
    onUpgrade: (req, socket, head) => {
      const isTaken = fileSockets.upgrade(req, socket, head) || clientSockets.upgrade(req, socket, head)
      if (!isTaken) socket.destroy()
    },
  })
  listening.port = http.port
  outbox.start()
  queue.start()
  mail.queue.start()
  const sweep = setInterval(() => {
    sessions.sweepIdle().catch((thrown: unknown) => log.error({ err: thrown }, 'sweeping idle sessions failed'))
  }, SWEEP_MS)

  const housekeeping = setInterval(() => {
    const tidy = async (): Promise<void> => {
      await purgeDue(recycle, clock.now() - config['recycle.retentionDays'] * DAY_MS)
      await forgetSignIns({ db, clock })
      await queue.purge(clock.now() - JOB_HISTORY_MS)
      await notices.purge()
      await purgeCodes(auth)
    }
    tidy().catch((thrown: unknown) => log.error({ err: thrown }, 'tidying up failed'))
  }, HOUSEKEEPING_MS)

  return {
    url: http.url,
    setupToken,
    async stop(onStep = () => undefined) {
      clearInterval(sweep)
      intake.stop()
      stopNotices()
      bus.publish('process.stopping', {})
      fileSockets.close()
      clientSockets.close()
      watch.stop()
      clearInterval(housekeeping)
      const steps: ReadonlyArray<readonly [string, () => Promise<void>]> = [
        ['jobs', () => queue.stop()],
        ['mails', () => mail.queue.stop()],
        ['connections', () => http.close(GRACE_MS)],
        ['events', () => outbox.stop()],
        ['storages', () => storages.close()],
        ['database', () => database.close()],
      ]
      for (const [name, take] of steps) {
        onStep(name)
        await take()
      }
    },
  }
}

async function createConfiguredAdministrator(config: Config, users: UsersDeps): Promise<void> {
  const { 'admin.account': account, 'admin.email': email, 'admin.password': password } = config
  if ((account === '' && password === '') || !(await isSetupNeeded(users.db))) return
  // One without the other is a slip; waiting for a person at the set-up page would hide it.
  if (account === '') throw new AppError('VALUE_REQUIRED', { field: 'admin.account' })
  if (password === '') throw new AppError('VALUE_REQUIRED', { field: 'admin.password' })
  await createFirstAdministrator(users, { account, email, password })
}

/** @throws when a storage cannot be asked for its root */
async function checkStorages(storages: Storages): Promise<void> {
  await Promise.all(storages.all().map(async (store) => store.stat('')))
}
