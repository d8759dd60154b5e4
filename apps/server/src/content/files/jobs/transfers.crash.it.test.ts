import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodePassword, type JobView } from '@godwit/contract'
import { KiB, MiB } from '@godwit/base'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { expect, it } from 'vitest'
import { connectDatabase } from '../../../kernel/db/index.ts'

const FILES = 1_500
/** Tries until a kill meets a copy in its middle: a fast disk may be done before. */
const TRIES = 20

/** Every file below a folder with its hash, in one hash. */
function treeHash(folder: string): string {
  const hash = createHash('sha256')
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = path.join(folder, name)
    hash.update(`${name}\n`)
    if (fs.statSync(file).isFile()) hash.update(createHash('sha256').update(fs.readFileSync(file)).digest())
  }
  return hash.digest('hex')
}

interface Caller {
  readonly url: string
  readonly token: string
}

async function signIn({ url, administrator }: Godwit): Promise<Caller> {
  const body = { account: administrator.account, password: encodePassword(administrator.password) }
  const { data } = await post(`${url}/api/user/login`, body)
  return { url, token: String(data['token']) }
}

async function call({ url, token }: Caller, operation: string, input: object) {
  const { data } = await post(`${url}/api/files/${operation}`, input, { authorization: `Bearer ${token}` })
  return data
}

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { readonly data: Record<string, unknown> }
}

async function jobOf(caller: Caller, jobId: string): Promise<JobView> {
  return (await call(caller, 'job', { jobId }))['job'] as JobView
}

/** The job that a killed process left behind, as it is half a minute later: nobody holds it any more. */
async function runningJob(data: string): Promise<string> {
  const { db, close } = connectDatabase(`sqlite:${path.join(data, 'godwit.db')}`)
  const row = await db.selectFrom('jobs').select('id').where('state', '=', 'running').executeTakeFirstOrThrow()
  await db.updateTable('jobs').set({ lease_until: 0 }).where('id', '=', row.id).execute()
  await close()
  return row.id
}

it('a copy that was killed in its middle ends after the restart: the whole tree, once, and nothing half before', async ({
  annotate,
}) => {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-copy-'))
  let server = await launchGodwit({ data })
  let caller = await signIn(server)
  const home = path.join(data, 'files/users/admin')
  fs.mkdirSync(path.join(home, 'tree/deep'), { recursive: true })
  for (let at = 0; at < FILES; at++) fs.writeFileSync(path.join(home, `tree/deep/${at}`), Buffer.alloc(KiB, at))
  for (let at = 0; at < 4; at++) fs.writeFileSync(path.join(home, `tree/large-${at}`), Buffer.alloc(16 * MiB, at))
  fs.writeFileSync(path.join(home, 'after'), 'the next of the job')
  const wanted = treeHash(path.join(home, 'tree'))
  const hidden = path.join(data, 'files/.godwit/parts')

  let interrupted: { readonly folder: string; readonly jobId: string } | undefined
  for (let round = 0; interrupted === undefined && round < TRIES; round++) {
    const folder = `target-${round}`
    await call(caller, 'mkdir', { folder: '/', name: folder })
    const started = new Set(fs.existsSync(hidden) ? fs.readdirSync(hidden) : [])
    // The answer goes down with the process.
    const asked = call(caller, 'copy', { paths: ['/tree', '/after'], target: `/${folder}` }).catch(() => undefined)
    const staged = (): string | undefined =>
      fs.existsSync(hidden) ? fs.readdirSync(hidden).find((id) => !started.has(id)) : undefined
    for (let id = staged(); ; id = staged()) {
      const deep = path.join(hidden, id ?? 'none', 'deep')
      if (id !== undefined && fs.existsSync(deep) && fs.readdirSync(deep).length > FILES / 3) break
      if (fs.existsSync(path.join(home, folder, 'tree'))) break
      await sleep(1)
    }
    await server.end('SIGKILL')
    await asked
    const isShown = fs.existsSync(path.join(home, folder, 'tree'))
    server = await launchGodwit({ data })
    caller = await signIn(server)
    const { items } = (await call(caller, 'list', { folder: `/${folder}` })) as { items: unknown[] }
    if (isShown) continue
    // Nothing half is shown, neither on the disk nor in a listing.
    expect(items).toEqual([])
    interrupted = { folder, jobId: await runningJob(data) }
  }
  if (interrupted === undefined) throw new Error('no kill met a copy in its middle')

  const begun = performance.now()
  let job = await jobOf(caller, interrupted.jobId)
  while (job.state === 'running' || job.state === 'queued') {
    const tree = path.join(home, interrupted.folder, 'tree')
    if (fs.existsSync(tree)) expect(treeHash(tree)).toBe(wanted)
    await sleep(200)
    job = await jobOf(caller, interrupted.jobId)
  }
  await annotate(`the job ended ${Math.round((performance.now() - begun) / 1000)} s after the restart`)
  expect(job).toMatchObject({ state: 'completed', failures: [] })
  expect(treeHash(path.join(home, interrupted.folder, 'tree'))).toBe(wanted)
  expect(fs.readdirSync(path.join(home, interrupted.folder)).toSorted()).toEqual(['after', 'tree'])
  expect(treeHash(path.join(home, 'tree'))).toBe(wanted)
  await server.end('SIGTERM')
  fs.rmSync(data, { recursive: true })
})
