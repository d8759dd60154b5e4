import { seededRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { generatorOf, joinWithLengths, scalarOf, secretOf, sessionKey, shareOf, tagOf } from './cpace.ts'

const bytes = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'))

/** Test vectors of draft-irtf-cfrg-cpace for G_ristretto255 and SHA-512 (its file testvectors.json, "G_Coffee25519"). */
const VECTOR = {
  password: bytes('UGFzc3dvcmQ='),
  context: bytes('b2MLQl9yZXNwb25kZXILQV9pbml0aWF0b3I='),
  sessionId: bytes('fktHkdao7wGbk2x5+38sVw=='),
  generator: bytes('pvyCw7iWj7suBv7oHKhYWG3qUNJI8MfKahiwkCows2s='),
  initiator: {
    scalar: bytes('2j0jcAqeVpkliu+U3AYN/aXrth8Cpep3+tU/T/CXbQg='),
    share: bytes('1A+yZaer6u55OdkaWF/ln3BT+YLCluxBPGJMZpMI+Ho='),
    data: Buffer.from('ADa'),
  },
  responder: {
    scalar: bytes('0jFrRUcYw1Ni2D1p32Mg84V47VmEZRQ14pSXYtkAuA0='),
    share: bytes('CLz26Xd6nDE6PbbapRDy05hAMxnCNBvVBqkuZy634wc='),
    data: Buffer.from('ADb'),
  },
  secret: bytes('4ise93iPZhR4883dTGAHdPwPQea3EVaRkP+I+g5gfgk='),
  key: bytes('TFRpoWsjZMS5ROvBp55R0WdK1H2ybocYFU9Z+uv6pS2DRvMKpYN3EX6yDVJ/LLxcdjgff9Ny6J34I5+H8uAu0Q=='),
}
/** The same file, "G_Coffee25519_points". */
const INVALID_SHARE = bytes('KzxrjE84AOeu9oZAJbTteb1ZkRfkJ8Qb1H2T1lS0pRw=')

function scalar(little: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(little.toReversed()).toString('hex')}`)
}

describe('CPace with ristretto255 and SHA-512', () => {
  it('agrees with the test vectors of the draft', () => {
    const generator = generatorOf(VECTOR)
    expect(Buffer.from(generator.toBytes())).toEqual(Buffer.from(VECTOR.generator))
    for (const [own, other] of [
      [VECTOR.initiator, VECTOR.responder],
      [VECTOR.responder, VECTOR.initiator],
    ] as const) {
      expect(Buffer.from(shareOf(generator, scalar(own.scalar)))).toEqual(Buffer.from(own.share))
      expect(secretOf(scalar(own.scalar), other.share)).toEqual(VECTOR.secret)
    }
    const key = sessionKey(VECTOR.sessionId, VECTOR.secret, [VECTOR.initiator, VECTOR.responder])
    expect(Buffer.from(key)).toEqual(Buffer.from(VECTOR.key))
  })

  it('refuses a share that is no element, the neutral element, or of another length', () => {
    const own = scalar(VECTOR.initiator.scalar)
    for (const share of [
      INVALID_SHARE,
      new Uint8Array(32),
      new Uint8Array(31),
      new Uint8Array(33),
      new Uint8Array(32).fill(255),
    ])
      expect(secretOf(own, share)).toBeUndefined()
  })

  it('depends on password, context and session, and lets no two lists of parts look the same', () => {
    const generators = [
      VECTOR,
      { ...VECTOR, password: Buffer.from('Passwore') },
      { ...VECTOR, context: Buffer.from('other') },
      { ...VECTOR, sessionId: Buffer.from('other') },
    ].map((input) => Buffer.from(generatorOf(input).toBytes()).toString('hex'))
    expect(new Set(generators).size).toBe(4)
    expect(
      joinWithLengths(Buffer.from('ab'), Buffer.from('c')).equals(joinWithLengths(Buffer.from('a'), Buffer.from('bc'))),
    ).toBe(false)
    expect(joinWithLengths(Buffer.alloc(300)).subarray(0, 2)).toEqual(Buffer.of(0xac, 0x02))
  })
})

describe('a recorded exchange', () => {
  const random = seededRandom(12)
  const draw = (): bigint => scalarOf(random.fill(new Uint8Array(32)))
  const context = Buffer.from('test')
  const sessionId = Buffer.alloc(32, 9)
  const data = new Uint8Array(0)

  /** What is on the wire when both know the password, and what only they know. */
  function exchange(password: string) {
    const generator = generatorOf({ password: Buffer.from(password), context, sessionId })
    const [ours, theirs] = [draw(), draw()]
    const initiator = { share: shareOf(generator, ours), data }
    const responder = { share: shareOf(generator, theirs), data }
    const secret = secretOf(ours, responder.share) ?? new Uint8Array(0)
    const key = sessionKey(sessionId, secret, [initiator, responder])
    const tags = [initiator, responder].map((message) => Buffer.from(tagOf(sessionId, key, message)))
    return { initiator, responder, tags, secret }
  }

  it('is no help in testing a guess, not even the right one', () => {
    const { initiator, responder, tags, secret } = exchange('the right one')
    const guesses = ['a wrong one', 'the right one']
    const fits = guesses.map((guess) => {
      const generator = generatorOf({ password: Buffer.from(guess), context, sessionId })
      // All that can be made of a guess and the record without a discrete logarithm: group elements.
      const candidates = [
        ...[initiator.share, responder.share, generator.toBytes()],
        ...[initiator.share, responder.share].flatMap((share) =>
          [1n, 2n, draw()].map((factor) => secretOf(factor, share) ?? new Uint8Array(0)),
        ),
        shareOf(generator, draw()),
      ]
      return candidates.some((candidate) => {
        const key = sessionKey(sessionId, candidate, [initiator, responder])
        return tags.some(
          (tag) =>
            tag.equals(Buffer.from(tagOf(sessionId, key, initiator))) ||
            tag.equals(Buffer.from(tagOf(sessionId, key, responder))),
        )
      })
    })
    expect(fits).toEqual([false, false])
    // The test can tell: with the secret, which only the two ends have, the tags fit.
    const key = sessionKey(sessionId, secret, [initiator, responder])
    expect(tags[0]?.equals(Buffer.from(tagOf(sessionId, key, initiator)))).toBe(true)
  })

  it('would look the same under every other password: each share is a power of each generator', () => {
    // The discrete logarithms are known here because one generator is made a power of the other.
    const generator = generatorOf({ password: Buffer.from('one'), context, sessionId })
    const ratio = draw()
    const other = generator.multiply(ratio)
    const ours = draw()
    const inverse = modInverse(ratio)
    expect(shareOf(other, (ours * inverse) % ORDER)).toEqual(shareOf(generator, ours))
  })

  it('brings two ends with different passwords to different keys', () => {
    const [near, far] = [exchange('one'), exchange('two')]
    const mixed = secretOf(draw(), far.responder.share) ?? new Uint8Array(0)
    const key = sessionKey(sessionId, mixed, [near.initiator, far.responder])
    expect(far.tags[1]?.equals(Buffer.from(tagOf(sessionId, key, far.responder)))).toBe(false)
  })
})

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

/** By Fermat: the order is prime. */
function modInverse(value: bigint): bigint {
  let [base, exponent, result] = [value % ORDER, ORDER - 2n, 1n]
  for (; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) result = (result * base) % ORDER
    base = (base * base) % ORDER
  }
  return result
}
