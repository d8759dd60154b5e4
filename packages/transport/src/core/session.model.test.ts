import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newSessionPair, SERVER_ADDRESS, type SessionPair } from '../sim/session-pair.ts'
import { ByteRanges } from './byte-ranges.ts'

const SPACE = 60_000
const DELAY_US = 5000

/** What must be true of a sending session, whatever was asked of it: a plain account of wanted and delivered bytes. */
interface Model {
  readonly wanted: ByteRanges
  /** Carried by another channel. */
  readonly elsewhere: ByteRanges
  now: number
  isDark: boolean
}

type Command = fc.Command<Model, SessionPair>

class Send implements Command {
  readonly start: number
  readonly length: number
  constructor(start: number, length: number) {
    this.start = start
    this.length = length
  }
  check = (): boolean => true
  run(model: Model, pair: SessionPair): void {
    pair.client.send(1, this.start, this.start + this.length)
    model.wanted.add(this.start, this.start + this.length)
    checkAccount(model, pair)
  }
  toString = (): string => `send(${this.start}, +${this.length})`
}

class Wait implements Command {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
  check = (): boolean => true
  run(model: Model, pair: SessionPair): void {
    const until = model.now + this.ms * 1000
    model.now = pair.run({ from: model.now, until, delayUs: DELAY_US, isLost: () => model.isDark })
    checkAccount(model, pair)
  }
  toString = (): string => `wait(${this.ms})`
}

class Darken implements Command {
  readonly isDark: boolean
  constructor(isDark: boolean) {
    this.isDark = isDark
  }
  check = (): boolean => true
  run(model: Model): void {
    model.isDark = this.isDark
  }
  toString = (): string => (this.isDark ? 'darken' : 'lighten')
}

class Carry implements Command {
  readonly bytes: number
  constructor(bytes: number) {
    this.bytes = bytes
  }
  check = (): boolean => true
  run(model: Model, pair: SessionPair): void {
    const range = pair.client.takePending(this.bytes)
    if (range === undefined) return
    if (!model.wanted.has(range.start, range.end)) throw new Error('gave away bytes that nobody wanted')
    pair.client.markDelivered(range.object, range.start, range.end)
    model.elsewhere.add(range.start, range.end)
    checkAccount(model, pair)
  }
  toString = (): string => `carry(${this.bytes})`
}

class Reclaim implements Command {
  check = (): boolean => true
  run(model: Model, pair: SessionPair): void {
    pair.client.reclaim()
    if (pair.client.pendingBytes !== pair.client.unackedBytes) throw new Error('something is still under way')
    checkAccount(model, pair)
  }
  toString = (): string => 'reclaim'
}

class Pause implements Command {
  readonly isPaused: boolean
  constructor(isPaused: boolean) {
    this.isPaused = isPaused
  }
  check = (): boolean => true
  run(_model: Model, pair: SessionPair): void {
    pair.client.setPaused(this.isPaused)
  }
  toString = (): string => (this.isPaused ? 'pause' : 'resume')
}

/** Every byte wanted is acknowledged, carried elsewhere, queued or under way; and nothing else is. */
function checkAccount(model: Model, pair: SessionPair): void {
  const settled = new ByteRanges()
  for (const [, start, end] of pair.acked) settled.add(start, end)
  for (let index = 0; index < model.elsewhere.count; index++)
    settled.add(model.elsewhere.startAt(index), model.elsewhere.endAt(index))
  expect(pair.client.unackedBytes).toBe(model.wanted.size - settled.size)
  expect(pair.client.pendingBytes).toBeLessThanOrEqual(pair.client.unackedBytes)
}

const commands = fc.commands(
  [
    fc.tuple(fc.nat(SPACE), fc.integer({ min: 1, max: 8000 })).map(([start, length]) => new Send(start, length)),
    fc.integer({ min: 1, max: 400 }).map((ms) => new Wait(ms)),
    fc.boolean().map((isDark) => new Darken(isDark)),
    fc.integer({ min: 1, max: 5000 }).map((bytes) => new Carry(bytes)),
    fc.constant(new Reclaim()),
    fc.boolean().map((isPaused) => new Pause(isPaused)),
  ],
  { maxCommands: 25 },
)

describe('a session driven at random', () => {
  it('keeps account of every byte, and delivers all of them once the line is light again', () => {
    fc.assert(
      fc.property(commands, (steps) => {
        const pair = newSessionPair()
        const model: Model = { wanted: new ByteRanges(), elsewhere: new ByteRanges(), now: 0, isDark: false }
        pair.client.openPath(0, SERVER_ADDRESS)
        fc.modelRun(() => ({ model, real: pair }), steps)
        pair.client.setPaused(false)
        pair.run({ from: model.now, until: model.now + 20_000_000, delayUs: DELAY_US })
        expect(pair.client.unackedBytes).toBe(0)
      }),
      { numRuns: 40 },
    )
  })
})

describe('opening a path by hand', () => {
  const drops: ReadonlyArray<readonly [string, (index: number) => boolean]> = [
    ['the first packet', (index) => index === 0],
    ['the first three packets', (index) => index < 3],
    ['every third packet', (index) => index % 3 === 0],
  ]
  const sides = [
    ['from the client', ['client']],
    ['from the server', ['server']],
    ['both ways', ['client', 'server']],
  ] as const
  for (const [what, isDropped] of drops) {
    for (const [where, losers] of sides) {
      it(`succeeds when ${what} ${where} are lost`, () => {
        const pair = newSessionPair()
        const counts = { client: 0, server: 0 }
        pair.client.openPath(0, SERVER_ADDRESS)
        pair.run({
          from: 0,
          until: 5_000_000,
          delayUs: DELAY_US,
          isLost: ({ by }) => losers.some((loser) => loser === by) && isDropped(counts[by]++),
        })
        expect(pair.states).toContain('client open')
        expect(pair.states).toContain('server open')
      })
    }
  }
})
