import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { secureRandom, systemClock } from '@godwit/base'
import type { JobView } from '@godwit/contract'
import { launchGodwit, type Godwit, type GodwitOptions } from '@godwit/testkit'
import { runCli } from '../../cli/run.ts'
import { FULL_TEXT_TABLES } from '../../content/full-text/index.ts'
import { SEARCH_TABLES } from '../../content/search/index.ts'
import { connectDatabase, tableDigest, tableShapes, type Database } from '../../kernel/db/index.ts'
import { placeSqlite } from '../../testing/new-databases.ts'
import { ask, signIn, type Answer, type Login, type Question } from './wire.ts'

export const PASSWORD = 'Sunrise-42x'

/**
 * What servers write whenever it is its turn: events that all have heard of leave the outbox, what follows from events is
 * brought up to date, and nodes keep signals and leases.
 */
const BACKGROUND_TABLES = [
  ...['outbox', 'outbox_sequence', 'outbox_subscribers', 'file_activity', 'link_targets', 'link_recipients'],
  'entry_marks',
  ...['leases', 'bus_messages', 'hook_deliveries'],
  // What was moved is written down a second later.
  ...['transfers', 'transfer_files'],
]

/** A real server process with the means to look at it from every side. The operator's command runs in the test's own process. */
export interface Site extends AsyncDisposable {
  readonly godwit: Godwit
  readonly url: string
  readonly data: string
  /** Everything the operator's command printed. */
  readonly printed: () => string
  ask(question: Question): Promise<Answer>
  /** @returns its exit code */
  cli(words: string): Promise<number>
  addUser(account: string, change?: UserChange): Promise<void>
  signIn(account: string, password?: string): Promise<Login>
  /** Calls a file operation, and waits until its job has ended: the server answers after a second, whatever the job has done. */
  call(token: string | undefined, operation: string, input: object): Promise<Answer>
  /** {@link call} for operations that are jobs. */
  runJob(token: string, operation: string, input: object): Promise<JobAnswer>
  upload(token: string, filename: string, content: Uint8Array, folder?: string): Promise<Answer>
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** A hash over every row of every table, except what runs by itself. @param without tables that may change meanwhile */
  databaseHash(without?: readonly string[]): Promise<string>
  /** Where an account's files are on the disk. */
  home(account: string): string
}

export interface JobAnswer {
  readonly code: number | undefined
  /** As it ended; undefined when none was begun. */
  readonly job: JobView | undefined
}

export interface UserChange {
  readonly permission?: number
  readonly quotaBytes?: number
}

export interface SiteOptions extends Omit<GodwitOptions, 'data'> {
  readonly databaseUrl?: string
  /** Before the first start, with the environment of the installation. */
  readonly prepare?: (environment: Readonly<Record<string, string>>) => Promise<void>
}

// One piece: the parts of a site share the process and its folder.
export async function openSite({ databaseUrl, prepare, ...options }: SiteOptions = {}): Promise<Site> {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-site-'))
  const env = { ...(databaseUrl === undefined ? {} : { GODWIT_DATABASE_URL: databaseUrl }), ...options.env }
  if (databaseUrl === undefined) await placeSqlite(path.join(data, 'godwit.db'))
  await prepare?.({ GODWIT_DATA: data, ...env })
  const godwit = await launchGodwit({ ...options, data, env })
  const { url } = godwit
  const passwordFile = path.join(os.tmpdir(), `${path.basename(data)}.password`)
  fs.writeFileSync(passwordFile, PASSWORD)
  let printed = ''

  const site: Site = {
    godwit,
    url,
    data,
    printed: () => printed,
    ask: (question) => ask(url, question),
    cli: (words) =>
      runCli(words.split(' '), {
        stdout: (text) => void (printed += text),
        stderr: (text) => void (printed += text),
        environment: { GODWIT_DATA: data, ...env },
        clock: systemClock,
        random: secureRandom,
        signal: new AbortController().signal,
      }),
    async addUser(account, change = {}) {
      const code = await site.cli(`user add --account ${account} --password-file ${passwordFile}`)
      if (code !== 0) throw new Error(printed)
      await changeUser(site, account, change)
    },
    signIn: (account, password) =>
      signIn(url, account, password ?? (account === 'admin' ? godwit.administrator.password : PASSWORD)),
    async call(token, operation, input) {
      const operate = (name: string, json: object) =>
        ask(url, { method: 'POST', path: `/api/files/${name}`, token, json })
      const answer = await operate(operation, input)
      let job = answer.data['job'] as JobView | undefined
      while (job?.state === 'queued' || job?.state === 'running') {
        job = (await operate('job', { jobId: job.jobId })).data['job'] as JobView | undefined
      }
      return job === undefined ? answer : { ...answer, data: { ...answer.data, job: job as never } }
    },
    async runJob(token, operation, input) {
      const { code, data } = await site.call(token, operation, input)
      return { code, job: data['job'] as JobView | undefined }
    },
    upload: (token, filename, content, folder = '/') => uploadWhole(site, { token, filename, content, folder }),
    async withDatabase(work) {
      const database = connectDatabase(databaseUrl ?? `sqlite:${path.join(data, 'godwit.db')}`)
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    },
    databaseHash: (without = []) =>
      site.withDatabase(async (database) => {
        const digests: string[] = []
        const left = [...without, ...SEARCH_TABLES, ...FULL_TEXT_TABLES, ...BACKGROUND_TABLES]
        for (const { name, columns, key } of await tableShapes(database)) {
          if (left.includes(name)) continue
          // A session notes once a minute that it was seen, and a busy machine may take longer between two looks.
          const lasting = columns.filter((column) => name !== 'sessions' || column !== 'last_seen_at')
          digests.push((await tableDigest(database.db, { name, columns: lasting, key })).sha256)
        }
        return digests.join()
      }),
    home: (account) => path.join(data, 'files/users', account.toLowerCase()),
    async [Symbol.asyncDispose]() {
      await godwit.end('SIGTERM')
      fs.rmSync(data, { recursive: true, force: true })
      fs.rmSync(passwordFile, { force: true })
    },
  }
  return site
}

async function changeUser(site: Site, account: string, { permission, quotaBytes }: UserChange): Promise<void> {
  const change = {
    ...(permission === undefined ? {} : { permission }),
    ...(quotaBytes === undefined ? {} : { quota_bytes: quotaBytes }),
  }
  if (Object.keys(change).length === 0) return
  await site.withDatabase(({ db }) => db.updateTable('users').set(change).where('account', '=', account).execute())
}

interface WholeUpload {
  readonly token: string
  readonly filename: string
  readonly content: Uint8Array
  readonly folder: string
}

/** @returns the last answer: of the first step that failed, or of the completion */
async function uploadWhole(site: Site, { token, filename, content, folder }: WholeUpload): Promise<Answer> {
  const created = await site.ask({
    method: 'POST',
    path: '/api/uploads',
    token,
    json: { folder, filename, size: content.length, conflict: 'replace', resume: false },
  })
  if (created.code !== 200) return created
  const { uploadId, partSize } = created.data as unknown as { readonly uploadId: string; readonly partSize: number }
  for (let at = 0; at < content.length; at += partSize) {
    const body = content.subarray(at, at + partSize)
    const part = await site.ask({ method: 'PUT', path: `/api/uploads/${uploadId}/parts/${at}`, token, body })
    if (part.code !== 200) return part
  }
  return site.ask({ method: 'POST', path: `/api/uploads/${uploadId}/complete`, token, json: {} })
}

/** Resident memory of a process in MiB, as Linux reports it. */
export function residentMiB(pid: number): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}
