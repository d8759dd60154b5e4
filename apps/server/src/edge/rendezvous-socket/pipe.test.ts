import { expect, it } from 'vitest'
import { Pipe, type PipeEnd } from './pipe.ts'

/** A socket whose peer reads when the test says so. */
class SlowEnd implements PipeEnd {
  bufferedAmount = 0
  isPaused = false
  readonly #waiting: Array<{ bytes: number; done: () => void }> = []
  send(frame: Buffer, done: () => void): void {
    this.bufferedAmount += frame.length
    this.#waiting.push({ bytes: frame.length, done })
  }
  /** The peer takes one frame. */
  take(): void {
    const next = this.#waiting.shift()
    this.bufferedAmount -= next?.bytes ?? 0
    next?.done()
  }
  pause(): void {
    this.isPaused = true
  }
  resume(): void {
    this.isPaused = false
  }
}

const FRAME = Buffer.alloc(64 * 1024)

it('holds a side while the other does not read, and never keeps more than 1 MiB', () => {
  const [from, to] = [new SlowEnd(), new SlowEnd()]
  const pipe = new Pipe(from, to, { nowMs: () => 0, count: () => true, bytesPerMs: Infinity })
  let passed = 0
  while (!from.isPaused) passed += pipe.pass(FRAME) ? FRAME.length : 0
  expect(passed).toBeLessThan(1024 * 1024)
  to.take()
  expect(from.isPaused).toBe(true)
  while (to.bufferedAmount > 0) to.take()
  expect(from.isPaused).toBe(false)
})

it('passes on nothing beyond the limit of bytes', () => {
  const to = new SlowEnd()
  let left = 100
  const pipe = new Pipe(new SlowEnd(), to, {
    nowMs: () => 0,
    count: (bytes) => (left -= bytes) >= 0,
    bytesPerMs: Infinity,
  })
  expect([pipe.pass(Buffer.alloc(100)), pipe.pass(Buffer.alloc(1))]).toEqual([true, false])
  expect(to.bufferedAmount).toBe(100)
})

it('holds a side that is faster than the rate', () => {
  const [from, to] = [new SlowEnd(), new SlowEnd()]
  const pipe = new Pipe(from, to, { nowMs: () => 0, count: () => true, bytesPerMs: 1000 })
  for (let frames = 0; frames < 3; frames++) pipe.pass(FRAME)
  expect(from.isPaused).toBe(false)
  pipe.pass(FRAME)
  expect(from.isPaused).toBe(true)
  pipe.close()
})
