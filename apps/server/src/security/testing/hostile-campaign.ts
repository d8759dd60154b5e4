import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MiB } from '@godwit/base'
import { openMemoryCage } from '@godwit/testkit'
import { attack, ATTACKS, type HostileTarget } from './hostile-callers.ts'
import { openSite, type Site } from './sites.ts'

const LIMIT_BYTES = 512 * MiB
/** Where the system lets nobody bound a process, the server keeps to these by itself, and its memory is looked at. */
const UNCAGED = { GODWIT_HTTP_BODY_MEMORY_BYTES: String(128 * MiB), GODWIT_HTTP_MAX_CONNECTIONS: '6553' }
const ENTRIES = 5_000

export interface Campaign {
  /** Attacks that run together, each group for so long. */
  readonly groups: ReadonlyArray<readonly string[]>
  readonly groupMs: number
  readonly report: (line: string) => Promise<unknown> | void
}

export interface CampaignResult {
  readonly oomKills: number
  readonly peakMiB: number
  /** Health probes that were not answered within 10 s. */
  readonly deafProbes: number
  /** Whether an honest account could sign in, upload and list within 60 s of the last attack. */
  readonly servesAfterwards: boolean
}

export const ALL_TOGETHER = [Object.keys(ATTACKS)]
export const ONE_BY_ONE = Object.keys(ATTACKS).map((name) => [name])

/** Fault plan, row 29: hostile callers of every kind against a server of 512 MiB. */
export async function hostileCampaign({ groups, groupMs, report }: Campaign): Promise<CampaignResult> {
  const cage = await openMemoryCage(LIMIT_BYTES)
  let result: CampaignResult
  {
    await using site = await openSite({ cage, env: cage === undefined ? UNCAGED : {} })
    const target = await prepare(site)
    let deafProbes = 0
    for (const names of groups) {
      const stop = new AbortController()
      const running = names.map((name) => attack(name, target, stop.signal))
      const end = performance.now() + groupMs
      while (performance.now() < end) {
        if (!(await isAlive(site))) deafProbes++
        await sleep(250)
      }
      stop.abort()
      const opened = await Promise.all(running)
      for (const [at, name] of names.entries()) {
        await report(`${name}: ${opened[at]} connections; at most ${await peakMiB(site, cage)} MiB so far`)
      }
    }
    const servesAfterwards = await serves(site)
    if (!servesAfterwards) await report(site.godwit.output().slice(-2_000))
    result = {
      oomKills: (await cage?.oomKills()) ?? 0,
      peakMiB: await peakMiB(site, cage),
      deafProbes,
      servesAfterwards,
    }
  }
  await cage?.remove()
  return result
}

async function prepare(site: Site): Promise<HostileTarget> {
  await site.addUser('mallory')
  const { token } = await site.signIn('mallory')
  const home = site.home('mallory')
  const folder = path.join(home, 'many')
  fs.mkdirSync(folder, { recursive: true })
  for (let at = 0; at < ENTRIES; at++)
    fs.writeFileSync(path.join(folder, `a file with a rather long name ${at}.txt`), '')
  fs.writeFileSync(path.join(home, 'big.bin'), '')
  fs.truncateSync(path.join(home, 'big.bin'), 64 * MiB)
  const json = { folder: '/', filename: 'never.bin', size: 16 * MiB }
  const { data } = await site.ask({ method: 'POST', path: '/api/uploads', token, json })
  return { url: site.url, token, uploadId: String(data['uploadId']), folder: '/many', file: '/big.bin' }
}

async function isAlive(site: Site): Promise<boolean> {
  try {
    const answer = await fetch(`${site.url}/healthz`, { signal: AbortSignal.timeout(10_000) })
    return answer.status === 200
  } catch {
    return false
  }
}

/** Memory is free again as soon as the connections are closed, so an honest caller is served after a retry or two. */
async function serves(site: Site): Promise<boolean> {
  const end = performance.now() + 60_000
  while (performance.now() < end) {
    try {
      const { token } = await site.signIn('admin')
      const stored = await site.upload(token, 'honest.txt', Buffer.from('honest'))
      const listed = await site.call(token, 'list', { folder: '/' })
      if (stored.code === 200 && listed.code === 200) return true
    } catch {
      // Refused for the moment.
    }
    await sleep(500)
  }
  return false
}

async function peakMiB(site: Site, cage: Awaited<ReturnType<typeof openMemoryCage>>): Promise<number> {
  if (cage !== undefined) return Math.round((await cage.peakBytes()) / MiB)
  const status = fs.readFileSync(`/proc/${site.godwit.pid}/status`, 'utf8')
  const [, kib = '0'] = /VmHWM:\s+(\d+) kB/.exec(status) ?? []
  return Math.round(Number(kib) / 1024)
}
