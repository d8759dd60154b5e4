import { seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { challengeCode, proveCode } from './code-proof.ts'
import { GuessLimit } from './guess-limit.ts'
import { isWeakCode, newCode, normalCode } from './shared-code.ts'

const channel = new Uint8Array(32).fill(1)
const other = new Uint8Array(32).fill(2)

/** One handshake; `near` and `far` are what each end has exported from its channel. */
function handshake(codes: readonly [string, string], { near = channel, far = channel, isReflected = false } = {}) {
  let isProven = false
  const client = proveCode(codes[0])
  const share = client.begin(near)
  const challenge = challengeCode(
    codes[1],
    { share, channel: far },
    { settings: {}, onProven: () => (isProven = true) },
  )
  const answer = challenge?.answer ?? new Uint8Array(0)
  const proof = client.confirm(isReflected ? Buffer.concat([share, answer.subarray(32)]) : answer)
  const isAccepted = proof === undefined ? undefined : challenge?.confirm(proof)
  return { serverIsProven: proof !== undefined, isAccepted, isProven, challenge }
}

describe('a proof of the shared code', () => {
  it('succeeds when both have the same code, however it was typed', () => {
    expect(handshake(['abcd-efgh-jkmn', 'ABCD efghJKMN'])).toMatchObject({ isAccepted: true, isProven: true })
  })

  it('fails at the client first when the codes differ, so that it never shows its own proof', () => {
    expect(handshake(['abcd-efgh-jkmn', 'abcd-efgh-jkmp'])).toMatchObject({ serverIsProven: false, isProven: false })
  })

  it('fails between two channels, although both ends have the code: somebody passes the messages on', () => {
    expect(handshake(['abcd-efgh-jkmn', 'abcd-efgh-jkmn'], { far: other })).toMatchObject({ serverIsProven: false })
  })

  it('fails when the server answers with the share of the client', () => {
    expect(handshake(['same', 'same'], { isReflected: true })).toMatchObject({ serverIsProven: false })
  })

  it('accepts no proof but the one for this exchange', () => {
    const { challenge } = handshake(['abcd', 'abcd'])
    expect(challenge?.confirm(new Uint8Array(64))).toBe(false)
    expect(challenge?.confirm(new Uint8Array(0))).toBe(false)
    const answer = challenge?.answer ?? new Uint8Array(0)
    expect(challenge?.confirm(answer.subarray(32))).toBe(false)
    const share = new Uint8Array(32)
    expect(challengeCode('abcd', { share, channel }, { settings: {}, onProven: () => undefined })).toBeUndefined()
  })

  it('crosses the network as other bytes each time, and never as the code', () => {
    const [first, second] = [proveCode('abcd-efgh-jkmn').begin(channel), proveCode('abcd-efgh-jkmn').begin(channel)]
    expect(Buffer.compare(first, second)).not.toBe(0)
    expect(Buffer.from(first).includes('abcd')).toBe(false)
  })
})

describe('a code', () => {
  it('that was made is easy to read out, has 60 bits and is strong', () => {
    const code = newCode(seededRandom(1))
    expect(code).toMatch(/^[a-km-np-z2-9]{4}-[a-km-np-z2-9]{4}-[a-km-np-z2-9]{4}$/)
    expect(isWeakCode(newCode())).toBe(false)
    expect(normalCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(code.replaceAll('-', ''))
  })

  it.each(['', 'abc', 'password', '12345678901', 'aaaaaaaaaaaaaaaa', 'abababababab', '-- abc def --'])(
    'that was chosen as %j is weak',
    (code) => {
      expect(isWeakCode(code)).toBe(true)
    },
  )

  it('that was chosen long enough is not', () => {
    expect(isWeakCode('correct horse battery')).toBe(false)
  })
})

describe('the limit of guesses', () => {
  it('allows one network five at once, then one in ten seconds; others are not held up', () => {
    let now = 0
    const limit = new GuessLimit(() => now)
    const tries = (address: string, count: number): number =>
      Array.from({ length: count }, () => limit.begin(address)).filter((attempt) => attempt !== undefined).length
    expect(tries('192.0.2.1', 20)).toBe(5)
    expect(tries('192.0.2.2', 20)).toBe(5)
    expect(tries('2001:db8::1', 3) + tries('2001:db8::2', 20)).toBe(5)
    now += 30_000
    expect(tries('192.0.2.1', 20)).toBe(3)
  })

  it('allows 3,600 in an hour to all of them together', () => {
    let now = 0
    const limit = new GuessLimit(() => now)
    let guesses = 0
    for (let second = 0; second < 3600; second++) {
      now += 1000
      for (let host = 0; host < 10; host++)
        if (limit.begin(`10.${second >> 8}.${second & 255}.${host}`) !== undefined) guesses++
    }
    expect(guesses).toBeLessThanOrEqual(3600 + 50)
  })

  it('does not count those who know the code', () => {
    const limit = new GuessLimit(() => 0)
    for (let attempt = 0; attempt < 100; attempt++) {
      const succeed = limit.begin('192.0.2.1')
      expect(succeed).toBeDefined()
      succeed?.()
    }
  })
})
