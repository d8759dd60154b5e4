import { performance } from 'node:perf_hooks'
import { seededRandom } from '@godwit/base'
import { encodePassword } from '@godwit/contract'
import { expect, it } from 'vitest'
import { LOCK_RULE, openSignIns, type SignIns } from '../../testing/sign-ins.ts'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { createUser } from '../users/index.ts'
import { login } from './auth.service.ts'

/** Each account's salt takes its own time, so the known ones and the unknown ones are compared, not one with one. */
const ACCOUNTS_EACH = 50
const ROUNDS = 20
const P_MIN = 0.01
const CAMPAIGNS = 3

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[sorted.length >>> 1] ?? Number.NaN
}

/** Two-sided p of the rank test of Mann and Whitney, by its normal approximation: fit for a thousand values a side. */
function rankTest(left: readonly number[], right: readonly number[]): number {
  const all = [...left.map((value) => ({ value, isLeft: true })), ...right.map((value) => ({ value, isLeft: false }))]
  all.sort((one, other) => one.value - other.value)
  const ranks = all.reduce((sum, { isLeft }, at) => sum + (isLeft ? at + 1 : 0), 0)
  const count = left.length * right.length
  const u = ranks - (left.length * (left.length + 1)) / 2
  const z = Math.abs(u - count / 2) / Math.sqrt((count * (left.length + right.length + 1)) / 12)
  // Abramowitz and Stegun 26.2.17, to 7 digits.
  const t = 1 / (1 + 0.2316419 * z)
  const tail = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce((sum, b) => (sum + b) * t, 0)
  return (2 * tail * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}

interface Campaign {
  /** Of the middle difference of the pairs, as a share of the median. */
  readonly share: number
  readonly p: number
  readonly words: string
}

/** Wrong passwords for accounts and for none, in turn, so that a machine that slows down in between counts for both. */
async function campaign(world: World, signIns: SignIns): Promise<Campaign> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  const [random, coin] = [seededRandom(33), new Uint8Array(1)]
  for (let turn = 0; turn < ROUNDS * ACCOUNTS_EACH; turn++) {
    // Drawn: the four threads that hash take turns, and a steady order would give each side its own threads.
    const order =
      (random.fill(coin)[0] ?? 0) % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of order) times[kind].push(await timeOfWrongLogin(signIns, `${kind}_${turn % ACCOUNTS_EACH}`))
    // Failures are forgotten, so that no lock answers instead.
    world.clock.advance(LOCK_RULE.windowMs)
  }
  const [known, unknown] = [median(times.known), median(times.unknown)]
  const difference = median(times.known.map((ms, at) => ms - (times.unknown[at] ?? 0)))
  const p = rankTest(times.known, times.unknown)
  const words = `medians ${known.toFixed(2)} and ${unknown.toFixed(2)} ms, of differences ${difference.toFixed(2)} ms, p ${p.toFixed(3)}`
  return { share: Math.abs(difference) / unknown, p, words }
}

async function timeOfWrongLogin(signIns: SignIns, account: string): Promise<number> {
  const credentials = { account, password: encodePassword('wrong') }
  const begun = performance.now()
  const answer = await login(signIns.auth, callerCtx(), credentials).catch((error: unknown) => error)
  const ms = performance.now() - begun
  expect(answer).toMatchObject({ code: 'PASSWORD_WRONG' })
  return ms
}

it('a wrong password takes as long for accounts as for none, 2,000 times in turn (T33)', async ({ annotate }) => {
  const sqlite = DATABASES.find(({ dialect }) => dialect === 'sqlite')
  if (sqlite === undefined) throw new Error('no SQLite')
  await using world = await sqlite.open()
  const signIns = openSignIns(world)
  for (let number = 0; number < ACCOUNTS_EACH; number++) {
    const account = `known_${number}`
    await createUser(signIns.users, { account, email: `${account}@example.org`, password: 'Sunrise-42x' })
  }
  let best: Campaign | undefined
  // Equal times fall below p 0.01 once in a hundred campaigns; a difference that tells does so every time.
  for (let turn = 0; turn < CAMPAIGNS && (best?.p ?? 0) <= P_MIN; turn++) {
    const result = await campaign(world, signIns)
    await annotate(result.words)
    if (result.p > (best?.p ?? -1)) best = result
  }
  await signIns.stop()
  expect(best?.share).toBeLessThan(0.05)
  expect(best?.p).toBeGreaterThan(P_MIN)
})
